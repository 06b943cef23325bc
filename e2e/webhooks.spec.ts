// A user adds a webhook, tests it against a server, sends a delivery again, deletes it, and confirms that it is them.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { keepToken } from './log-in.ts'
import { openDatabase } from './open-database.ts'
import { onOwnServer } from './own-server.ts'
import { expect } from './test.ts'

const test = onOwnServer({ WEBHOOK_PRIVATE_ADDRESSES: 'on' })

test('a user adds, tests and deletes a webhook', async ({ page, server }) => {
  const receiver = createServer((_, response) => response.writeHead(410).end()).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const host = `127.0.0.1:${(receiver.address() as AddressInfo).port}`

  const data = { email: 'hooks@example.com', password: 'secret hooks' }
  const registered = await page.request.post('/api/register', { data })
  await keepToken(page, ((await registered.json()) as { token: string }).token, server.url)
  await page.goto('/api-keys?tab=webhooks')
  await expect(page.getByText('No webhooks yet')).toBeVisible()

  await page.getByRole('button', { name: 'Add webhook' }).click()
  const form = page.getByRole('dialog', { name: 'Add a webhook' })
  await form.getByLabel('URL').fill('example.com')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form.getByRole('alert')).toHaveText('Enter a URL that begins with https:// or http://')
  await form.getByLabel('URL').fill(`http://${host}/hooks`)
  await form.getByRole('checkbox', { name: 'Deleted' }).check()
  await form.getByRole('button', { name: 'Save' }).click()
  const shown = page.getByRole('alertdialog', { name: 'Copy the secret' })
  await expect(shown.getByRole('textbox', { name: 'Secret' })).toHaveValue(/^whsec_/)
  await shown.getByRole('button', { name: 'Done' }).click()

  await page.getByRole('button', { name: `Send test: ${host}` }).click()
  const log = page.getByRole('dialog', { name: `Deliveries to ${host}` })
  await expect(log.getByText('It responded with the status 410')).toBeVisible({ timeout: 15_000 })
  await log.getByRole('button', { name: 'Close' }).click()
  await expect(page.getByText('Switched off: your server responded with the status 410.')).toBeVisible()
  await page.getByRole('button', { name: `Switch on: ${host}` }).click()
  await page.getByRole('button', { name: `Deliveries: ${host}` }).click()
  await log.getByRole('button', { name: 'Send again' }).click()
  await expect(log.getByText('Waiting')).toBeVisible()
  await log.getByRole('button', { name: 'Close' }).click()

  await page.getByRole('button', { name: `Delete: ${host}` }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('No webhooks yet')).toBeVisible()
  receiver.close()
})

test.describe('a session that is no longer confirmed', () => {
  test.use({ expectedConsole: [/status of 403/] })

  test('is confirmed with the password for a new webhook, another URL and a new secret', async ({ page, server }) => {
    const data = { email: 'older@example.com', password: 'secret older' }
    const registered = await page.request.post('/api/register', { data })
    await keepToken(page, ((await registered.json()) as { token: string }).token, server.url)
    await page.goto('/api-keys?tab=webhooks')
    const confirm = async () => {
      await page
        .getByRole('alertdialog', { name: 'Confirm that it is you' })
        .getByLabel('Your password')
        .fill(data.password)
      await page.keyboard.press('Enter')
    }
    const age = async () => {
      const database = await openDatabase(join(server.dataDir, 'image-host.sqlite'))
      database.exec('UPDATE sessions SET confirmed_at = confirmed_at - 601000')
      database.close()
    }
    const secret = page.getByRole('alertdialog', { name: 'Copy the secret' })

    await age()
    await page.getByRole('button', { name: 'Add webhook' }).click()
    const form = page.getByRole('dialog', { name: 'Add a webhook' })
    await form.getByLabel('URL').fill('https://example.com/hooks')
    await form.getByRole('button', { name: 'Save' }).click()
    await confirm()
    await expect(secret.getByRole('textbox', { name: 'Secret' })).toHaveValue(/^whsec_/)
    await secret.getByRole('button', { name: 'Done' }).click()

    await age()
    await page.getByRole('button', { name: 'Edit: example.com' }).click()
    const edited = page.getByRole('dialog', { name: 'Change the webhook' })
    await edited.getByLabel('URL').fill('https://example.org/hooks')
    await edited.getByRole('button', { name: 'Save' }).click()
    await confirm()
    await expect(page.getByText('https://example.org/hooks')).toBeVisible()

    await age()
    await page.getByRole('button', { name: 'New secret: example.org' }).click()
    await page.getByRole('alertdialog', { name: 'Create a new secret' }).getByRole('button', { name: 'Create' }).click()
    await confirm()
    await expect(secret.getByRole('textbox', { name: 'Secret' })).toHaveValue(/^whsec_/)
  })
})
