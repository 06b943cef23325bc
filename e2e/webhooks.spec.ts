// A user adds a webhook, tests it against a server, sends a delivery again, and deletes it.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { keepToken } from './log-in.ts'
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
  await page.goto('/api-keys')
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
