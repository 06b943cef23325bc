// Journeys on the contact form, on a server of its own: only an admin can read what arrived.
import type { Page } from '@playwright/test'
import { callApi, tokenOf } from './api-calls.ts'
import { startServer, type RunningServer } from './server.ts'
import { keepToken } from './log-in.ts'
import { expect, test } from './test.ts'
import { toast } from './upload.ts'

const admin = { email: 'admin@example.com', password: 'secret admin' }
const pin = '4711'
let server: RunningServer

test.beforeAll(async () => {
  server = await startServer({
    env: {
      ADMIN_EMAIL: admin.email,
      ADMIN_PASSWORD: admin.password,
      DB_VIEW_PIN: pin,
      SUPPORT_EMAIL: 'help@example.com',
    },
  })
})
test.afterAll(async () => {
  await server.stop()
})

const form = (page: Page) => page.getByRole('form', { name: 'Send Us a Message' })
const send = (page: Page) => form(page).getByRole('button', { name: 'Send message' })
const fields = { Name: 'Dana', Email: 'dana@example.com', Subject: 'A question', Message: 'First line\nsecond line' }

async function fill(page: Page): Promise<void> {
  for (const [label, value] of Object.entries(fields)) await form(page).getByLabel(label).fill(value)
}

async function arrived(): Promise<unknown> {
  const token = await tokenOf(server.url, 'login', admin)
  const unlocked = await callApi(server.url, '/db/unlock', { token, body: { pin } })
  const headers = { 'x-db-token': ((await unlocked.json()) as { token: string }).token }
  const listed = await callApi(server.url, '/db/collections/contactmessages', { token, headers })
  return ((await listed.json()) as { documents: unknown }).documents
}

test('a sent message reaches the admin', async ({ page }) => {
  await page.goto(`${server.url}/contact`)
  await expect(page.getByRole('heading', { name: 'Contact Us' })).toBeVisible()
  await expect(page.getByRole('main').getByRole('link', { name: 'help@example.com' })).toBeVisible()
  await fill(page)
  await expect(form(page).getByText('22 of 5,000 characters')).toBeVisible()
  const asked = page.waitForRequest('**/api/v1.0/email/send')
  await send(page).click()
  await expect(form(page).getByRole('button', { name: 'Sending...' })).toBeDisabled()
  expect((await asked).postDataJSON()).toMatchObject({
    lib_version: expect.any(String),
    template_params: { recipient: 'help@example.com', time: expect.stringMatching(/^\d+$/), website: '' },
  })

  const said = "Your message has been sent! We'll get back to you soon."
  await expect(toast(page, said)).toBeVisible()
  await expect(form(page).getByRole('status')).toHaveText(said)
  for (const label of Object.keys(fields)) await expect(form(page).getByLabel(label)).toHaveValue('')
  const { Name: name, Email: email, Subject: subject, Message: message } = fields
  expect(await arrived()).toContainEqual(expect.objectContaining({ name, email, subject, message }))
})

test('each field shows its own validation error, and only that of the focused field is announced', async ({ page }) => {
  await page.goto(`${server.url}/contact`)
  await send(page).click()
  await expect(form(page).getByRole('alert')).toHaveText('Name is required')
  for (const label of Object.keys(fields))
    await expect(form(page).getByLabel(label)).toHaveAccessibleDescription(new RegExp(`^${label} is required`))
  await expect(form(page).getByLabel('Name')).toBeFocused()
  await fill(page)
  await expect(form(page).getByRole('alert')).toHaveCount(0)
  await form(page).getByLabel('Email').fill('dana')
  await form(page).getByLabel('Message').fill('x'.repeat(5001))
  await send(page).click()
  await expect(form(page).getByLabel('Email')).toHaveAccessibleDescription(/This is not an email address/)
  await expect(form(page).getByLabel('Message')).toHaveAccessibleDescription(/longer than 5,000 characters/)
})

test.describe('a message that is not accepted', () => {
  // The browser logs rejected requests and network failures by itself.
  test.use({ expectedConsole: [/status of 4(00|03|29|51)|net::ERR/] })

  test('a failed request keeps the message in the form', async ({ page }) => {
    const said: string[] = []
    page.on('console', (message) => said.push(message.text()))
    await page.goto(`${server.url}/contact`)
    await fill(page)
    await page.route('**/api/v1.0/email/send', (route) => route.abort())
    await send(page).click()
    const failure = 'Failed to send message. Please try again.'
    await expect(toast(page, failure)).toBeVisible()
    await expect(form(page).getByRole('alert')).toHaveText(failure)
    for (const [label, value] of Object.entries(fields)) await expect(form(page).getByLabel(label)).toHaveValue(value)
    expect(said.some((text) => text.startsWith('Mail client: 0 Network Error'))).toBe(true)

    for (const [status, name] of [
      [451, 'Unavailable For Headless Browser'],
      [403, 'Forbidden'],
      [429, 'Too Many Requests'],
    ] as const) {
      await page.unroute('**/api/v1.0/email/send')
      await page.route('**/api/v1.0/email/send', (route) =>
        route.fulfill({ status, contentType: 'text/plain', body: `Refused with ${status}` }),
      )
      await send(page).click()
      await expect(form(page).getByRole('alert')).toContainText(`Refused with ${status}`)
      expect(said.some((text) => text.startsWith(`Mail client: ${status} ${name}`))).toBe(true)
    }
  })

  test('a wrong client clock does not block the message', async ({ page }) => {
    await page.clock.install({ time: Date.now() + 3_600_000 })
    await page.goto(`${server.url}/contact`)
    await fill(page)
    await page.clock.runFor(4000)
    await send(page).click()
    await expect(form(page).getByRole('status')).toContainText('Your message has been sent!')
  })
})

test('name and email are prefilled for a logged-in user', async ({ page }) => {
  const token = await tokenOf(server.url, 'login', admin)
  await keepToken(page, token, server.url)
  await page.goto(`${server.url}/contact`)
  await expect(form(page).getByLabel('Email')).toHaveValue(admin.email)
  await expect(form(page).getByLabel('Name')).toHaveValue('admin')
})
