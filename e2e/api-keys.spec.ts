// Journeys of the owner of an API key: creating, copying, using it from a program, deleting.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { uploadTo } from './api-calls.ts'
import { keepToken, logIn } from './log-in.ts'
import { openDatabase } from './open-database.ts'
import { startServer } from './server.ts'
import { expect, test } from './test.ts'

const dialog = (page: Page) => page.getByRole('alertdialog', { name: 'Copy your API key' })
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const lastUse = (page: Page) => row(page, 'CI bot').getByRole('cell').nth(2)

async function create(page: Page, name: string): Promise<string> {
  await page.getByLabel('Name').fill(name)
  await page.getByRole('button', { name: 'Create' }).click()
  const field = dialog(page).getByRole('textbox', { name: 'API key' })
  await expect(field).toHaveValue(/^ik_/)
  return field.inputValue()
}

/** Calls the API as a program does, without the page. */
const uploadBy = async (key: string) =>
  (await uploadTo(process.env.E2E_URL ?? '', { token: key, name: 'by-key.jpg' })).status

test('a user creates, copies, uses and deletes an API key', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText())
  await logIn(page)
  await page.goto('/api-keys')
  await expect(page.getByRole('heading', { name: 'API Key Management' })).toBeVisible()
  await expect(page.getByText("You don't have any API keys yet.")).toBeVisible()

  await test.step('the request header can be copied', async () => {
    await expect(page.getByText('Authorization: Bearer YOUR_API_KEY')).toBeVisible()
    await page.getByRole('button', { name: 'Copy header' }).click()
    expect(await clipboard()).toBe('Authorization: Bearer YOUR_API_KEY')
  })

  await test.step('a key requires a name', async () => {
    await page.getByLabel('Name').fill('   ')
    await page.getByRole('button', { name: 'Create' }).click()
    await expect(page.getByRole('alert').filter({ hasText: 'API key name is required' })).toBeVisible()
    await expect(page.getByLabel('Name')).toBeFocused()
  })

  const key = await create(page, 'CI bot')
  await test.step('the key is shown once, and copying it shows a check mark', async () => {
    await expect(dialog(page)).toHaveAccessibleDescription(
      'This is the only time your API key will be displayed. Please copy it now and store it safely.',
    )
    await page.keyboard.press('Escape')
    await expect(dialog(page)).toBeVisible()
    await dialog(page).getByRole('button', { name: 'Copy', exact: true }).click()
    expect(await clipboard()).toBe(key)
    await expect(dialog(page).getByText('Copied', { exact: true })).toBeAttached()
  })

  await test.step('the key is available as a command, a ShareX file and a line for .env', async () => {
    await dialog(page).getByRole('button', { name: 'Copy Command' }).click()
    expect(await clipboard()).toContain(`curl -X POST ${process.env.E2E_URL}/api/upload`)
    expect(await clipboard()).toContain(`-H "Authorization: Bearer ${key}"`)
    await dialog(page).getByLabel('Use it in').selectOption('ShareX')
    await expect(dialog(page).getByText('Waiting for an upload from ShareX...')).toBeVisible()
    const download = page.waitForEvent('download')
    await dialog(page).getByRole('button', { name: 'Download image-host.sxcu' }).click()
    expect(await readFile(await (await download).path(), 'utf8')).toContain(`Bearer ${key}`)
    await dialog(page).getByLabel('Use it in').selectOption('.env')
    await dialog(page).getByRole('button', { name: 'Copy .env' }).click()
    expect(await clipboard()).toBe(`IMAGE_HOST_KEY=${key}`)
  })

  await test.step('after Done the key is neither in the page nor in its storage', async () => {
    await dialog(page).getByRole('button', { name: 'Done' }).click()
    await expect(dialog(page)).toHaveCount(0)
    expect(await page.content()).not.toContain(key)
    expect(
      await page.evaluate(() => [localStorage, sessionStorage].map((all) => JSON.stringify(all)).join()),
    ).not.toContain(key)
    await expect(row(page, 'CI bot')).toContainText(`${key.slice(0, 8)}…`)
    await expect(lastUse(page)).toContainText('Never')
  })

  await test.step('a program uploads with the key, and the list shows the use', async () => {
    expect(await uploadBy(key)).toBe(201)
    await page.reload()
    await expect(row(page, 'CI bot')).toBeVisible()
    await expect(lastUse(page)).toContainText('from 127.')
  })

  await test.step('deleting asks for confirmation, and the deleted key is rejected', async () => {
    await page.getByRole('button', { name: 'Delete CI bot' }).click()
    const asked = page.getByRole('alertdialog', { name: 'Delete API key' })
    await expect(asked).toContainText('Are you sure you want to delete this API key? This action cannot be undone.')
    await expect(asked.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(row(page, 'CI bot')).toBeVisible()
    await page.getByRole('button', { name: 'Delete CI bot' }).click()
    await asked.getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByText("You don't have any API keys yet.")).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Your API keys' })).toBeFocused()
    expect(await uploadBy(key)).toBe(401)
  })
})

test.describe('a login that is not recent', () => {
  // The browser logs rejected requests by itself.
  test.use({ expectedConsole: [/status of 403/] })

  test('is confirmed with the password for a new key, and then good for the next one', async ({ page }) => {
    const server = await startServer()
    try {
      const data = { email: 'older@example.com', password: 'secret older' }
      const { token } = (await (await page.request.post(`${server.url}/api/register`, { data })).json()) as {
        token: string
      }
      const database = await openDatabase(join(server.dataDir, 'image-host.sqlite'))
      database.exec('UPDATE sessions SET confirmed_at = confirmed_at - 601000')
      database.close()
      await keepToken(page, token, server.url)
      await page.goto(`${server.url}/api-keys`)
      const question = page.getByRole('alertdialog', { name: 'Confirm that it is you' })
      const password = question.getByLabel('Your password')
      const create = page.getByRole('button', { name: 'Create' })
      await page.getByLabel('Name').fill('CI bot')
      await create.click()
      await expect(password).toBeFocused()
      await expect(question.getByRole('button', { name: 'Confirm' })).toBeDisabled()
      await page.keyboard.press('Escape')
      await expect(question).toHaveCount(0)
      await expect(page.getByText('Confirm this with your password, or log in again')).toBeVisible()
      await create.click()
      await expect(password).toBeFocused()
      await page.keyboard.type('a guess')
      await page.keyboard.press('Enter')
      await expect(question.getByText('The current password is wrong')).toBeVisible()
      await expect(password).toBeFocused()
      await page.keyboard.type('secret older')
      await page.keyboard.press('Enter')
      await expect(dialog(page).getByRole('textbox', { name: 'API key' })).toHaveValue(/^ik_/)
      await expect(question).toHaveCount(0)

      await page.goto(`${server.url}/tools?client=sharex`)
      await page.getByRole('button', { name: 'Create a key for ShareX' }).click()
      await expect(page.getByText('Waiting for an upload from ShareX...')).toBeVisible()
      // It polls until then.
      await page.goto('about:blank')
    } finally {
      await server.stop()
    }
  })
})

test('a user chooses what a key may do, until when and how much', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await logIn(page)
  await page.goto('/api-keys')
  const scope = (name: string) => page.getByRole('checkbox', { name, exact: true })

  await test.step('a key needs a scope, and manage includes the others', async () => {
    await expect(scope('Upload')).toBeChecked()
    await scope('Upload').uncheck()
    await page.getByLabel('Name').fill('reader')
    await page.getByRole('button', { name: 'Create' }).click()
    await expect(page.getByRole('alert').filter({ hasText: 'Choose what the key may do' })).toBeVisible()
    await expect(scope('Upload')).toBeFocused()
    await scope('Manage').check()
    for (const name of ['Upload', 'Read']) {
      await expect(scope(name)).toBeChecked()
      await expect(scope(name)).toBeDisabled()
    }
    await scope('Manage').uncheck()
    await expect(scope('Read')).not.toBeChecked()
  })

  await test.step('a wrong limit is rejected at its field', async () => {
    await scope('Read').check()
    await page.getByLabel('Expires').selectOption('In 90 days')
    await page.getByText('Limits', { exact: true }).click()
    await page.getByLabel('Uploads an hour').fill('many')
    await page.getByRole('button', { name: 'Create' }).click()
    await expect(page.getByLabel('Uploads an hour')).toBeFocused()
    await page.getByLabel('Uploads an hour').fill('60')
    await page.getByLabel('Megabytes in total').fill('100')
  })

  const key = await create(page, 'reader')
  await test.step('its samples fit what it may do', async () => {
    await expect(dialog(page).getByText('Lists your images.')).toBeVisible()
    await expect(dialog(page).getByLabel('Use it in')).toHaveCount(0)
    await dialog(page).getByRole('button', { name: 'Copy', exact: true }).click()
    await dialog(page).getByRole('button', { name: 'Done' }).click()
  })

  await test.step('the list shows it, the form starts again, and the server enforces it', async () => {
    for (const text of ['Read', '60 uploads an hour', '0 bytes of 100 MB uploaded'])
      await expect(row(page, 'reader').getByText(text, { exact: true })).toBeVisible()
    await expect(row(page, 'reader').locator('time').first()).toBeVisible()
    await expect(scope('Upload')).toBeChecked()
    await expect(page.getByLabel('Expires')).toHaveValue('never')
    const headers = { authorization: `Bearer ${key}` }
    expect((await fetch(`${process.env.E2E_URL}/api/images`, { headers })).status).toBe(200)
    expect(await uploadBy(key)).toBe(403)
    await page.reload()
    await expect(row(page, 'reader')).toContainText(/from \S+\/(24|48)/)
  })
})

test('closing the dialog without copying the key asks for confirmation once', async ({ page }) => {
  await logIn(page)
  await page.goto('/api-keys')
  await create(page, 'forgotten')
  await dialog(page).getByRole('button', { name: 'Done' }).click()
  await expect(dialog(page).getByRole('alert')).toContainText('You have not copied the key')
  await dialog(page).getByRole('button', { name: 'Back to the key' }).click()
  await expect(dialog(page).getByRole('alert')).toHaveCount(0)
  await dialog(page).getByRole('button', { name: 'Done' }).click()
  await dialog(page).getByRole('button', { name: 'Close without copying' }).click()
  await expect(dialog(page)).toHaveCount(0)
  await expect(row(page, 'forgotten')).toBeVisible()
})

test('the browser asks for confirmation before it leaves a page with an uncopied key', async ({ page }) => {
  await logIn(page)
  await page.goto('/api-keys')
  await create(page, 'unloaded')
  const asked = new Promise<string>((resolve) =>
    page.once('dialog', (box) => {
      resolve(box.type())
      void box.dismiss()
    }),
  )
  // A cancelled reload never completes.
  void page.evaluate(() => location.reload())
  expect(await asked).toBe('beforeunload')
  await expect(dialog(page)).toBeVisible()
})

test.describe('rejected API key requests', () => {
  // The browser logs rejected requests by itself.
  test.use({ expectedConsole: [/status of (404|409|507)/] })

  test('on a phone the reason is in view, above the button that was pressed', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 740 })
    await logIn(page)
    const error = 'The server has no storage space left'
    await page.route('**/api/api-keys', (route) =>
      route.request().method() === 'GET'
        ? route.continue()
        : route.fulfill({ status: 507, json: { code: 'storage_full', error } }),
    )
    await page.goto('/api-keys')
    await page.getByLabel('Name').fill('CI bot')
    await page.getByRole('button', { name: 'Create' }).click()
    await expect(page.getByRole('alert').filter({ hasText: error })).toBeInViewport()
    await expect(page.getByRole('button', { name: 'Create' })).toBeFocused()
  })

  test('at most 20 keys can be created, and deleting a deleted key removes its row', async ({ page }) => {
    const token = await logIn(page)
    const headers = { authorization: `Bearer ${token}` }
    for (let at = 1; at <= 20; at += 1)
      await page.request.post('/api/api-keys', { headers, data: { name: `key ${at}` } })
    await page.goto('/api-keys')
    await expect(page.getByRole('rowheader')).toHaveCount(20)
    await page.getByLabel('Name').fill('one too many')
    await page.getByRole('button', { name: 'Create' }).click()
    await expect(page.getByRole('alert').filter({ hasText: 'You have 20 API keys. Delete one first' })).toBeVisible()
    await expect(page.getByLabel('Name')).toHaveValue('one too many')

    const [newest] = (await (await page.request.get('/api/api-keys', { headers })).json()) as { id: string }[]
    await page.request.delete(`/api/api-keys/${newest?.id}`, { headers })
    await page.getByRole('button', { name: 'Delete key 20' }).click()
    const asked = page.getByRole('alertdialog', { name: 'Delete API key' })
    await asked.getByRole('button', { name: 'Delete' }).click()
    await expect(asked.getByRole('alert')).toBeVisible()
    await asked.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByRole('button', { name: 'Delete key 20' })).toBeFocused()
  })
})

test('a list of keys that failed to load can be retried', async ({ page }) => {
  await logIn(page)
  let isBroken = true
  await page.route('**/api/api-keys', (route) =>
    isBroken ? route.fulfill({ status: 200, contentType: 'application/json', body: '?' }) : route.continue(),
  )
  await page.goto('/api-keys')
  await expect(page.getByRole('alert').filter({ hasText: 'Failed to fetch API keys' })).toBeVisible()
  isBroken = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText("You don't have any API keys yet.")).toBeVisible()
})
