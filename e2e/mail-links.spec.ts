// The links of mails, followed in a browser. The mails are received by an SMTP server in this process.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { type ReceivedMail, startSmtpServer, type TestSmtpServer } from '../server/testing/smtp-server.ts'
import { keepToken } from './log-in.ts'
import { startServer, type RunningServer } from './server.ts'
import { expect, test } from './test.ts'
import { toast } from './upload.ts'

const password = 'correct horse'
const ended = 'This link is not valid: it was used, has expired or is not complete. Ask for a new one'
const people = { locked: 'ada@example.com', moving: 'grace@example.com', tired: 'mary@example.com' }
let smtp: TestSmtpServer
let server: RunningServer
let receiver: Server

// One server, whose mails arrive within five seconds: those of later journeys while others run.
test.describe.configure({ mode: 'serial' })
test.use({ expectedConsole: [/status of 40[0134]/] })
test.beforeAll(async () => {
  smtp = await startSmtpServer()
  server = await startServer({
    env: (url) => ({
      SMTP_URL: smtp.url,
      SUPPORT_EMAIL: 'help@example.com',
      PUBLIC_URL: url,
      WEBHOOK_PRIVATE_ADDRESSES: 'on',
    }),
  })
  receiver = createServer((_, response) => response.writeHead(410).end()).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  for (const email of Object.values(people)) await call('POST', '/api/register', { email, password })
  for (const email of Object.values(people)) {
    const token = new URL(linkIn(await mailTo(email))).hash.slice(1)
    expect(await call('POST', '/api/confirm-email', { token, password })).toMatchObject({ success: true })
  }
  await call('POST', '/api/password-reset', { email: people.locked })
  await switchWebhookOff(people.tired)
})
test.afterAll(async () => {
  receiver.close()
  await server.stop()
  await smtp.stop()
})

async function call(method: string, path: string, body: object, token = ''): Promise<Record<string, unknown>> {
  const headers = { 'content-type': 'application/json', ...(token === '' ? {} : { authorization: `Bearer ${token}` }) }
  const response = await fetch(server.url + path, { method, headers, body: JSON.stringify(body) })
  return (await response.json()) as Record<string, unknown>
}

async function logIn(email: string): Promise<string> {
  return (await call('POST', '/api/login', { email, password })).token as string
}

/** The receiver responds 410, so that its user gets a mail that reminds. */
async function switchWebhookOff(email: string): Promise<void> {
  const token = await logIn(email)
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  const { id } = await call('POST', '/api/webhooks', { url, events: ['image.uploaded'] }, token)
  await call('POST', `/api/webhooks/${String(id)}/test`, {}, token)
}

/** Waits for a mail, and takes it. */
async function mailTo(email: string): Promise<ReceivedMail> {
  const find = () => smtp.mails.findIndex(({ to }) => to.includes(email))
  await expect.poll(find, { timeout: 20_000 }).toBeGreaterThanOrEqual(0)
  const [mail] = smtp.mails.splice(find(), 1)
  if (!mail) throw new Error('The mail was taken')
  return mail
}

/** An album of the caller. @returns the invitation as it was mailed to the address */
async function mailedInvite(token: string, email: string): Promise<string> {
  const { id } = await call('POST', '/api/albums', { title: 'Summer' }, token)
  await call('POST', `/api/albums/${String(id)}/members`, { email, role: 'add' }, token)
  return linkIn(await mailTo(email))
}

const linkIn = ({ text }: ReceivedMail) => /^http\S+$/m.exec(text)?.[0] ?? ''
const main = (page: Page) => page.getByRole('main')
const refusal = (page: Page) => main(page).getByRole('alert')

test('who registers to join an album comes to it by the mail, also in another browser', async ({ page, browser }) => {
  const email = 'guest@example.com'
  await page.goto(await mailedInvite(await logIn(people.moving), email))
  await main(page).getByRole('link', { name: 'Register' }).click()
  await main(page).getByLabel('Email').fill(email)
  await main(page).getByLabel('Password', { exact: true }).fill(password)
  await main(page).getByRole('button', { name: 'Register' }).click()
  await expect(main(page).getByText('Check your mail')).toBeVisible()

  const other = await browser.newContext()
  const opened = await other.newPage()
  await opened.goto(linkIn(await mailTo(email)))
  await main(opened).getByLabel('Password', { exact: true }).fill(password)
  await opened.keyboard.press('Enter')
  await expect(opened).toHaveURL(/\/invitation$/)
  await main(opened).getByRole('button', { name: 'Accept' }).click()
  await expect(opened.getByRole('heading', { level: 1, name: 'Summer' })).toBeVisible()
  await other.close()
})

test('links in mails lead to the album also where somebody is logged in, and by a new password', async ({ page }) => {
  const email = 'cousin@example.com'
  const invitation = new URL(await mailedInvite(await logIn(people.moving), email))
  const data = { email, password, album_invite: invitation.hash.slice(1) }
  await call('POST', '/api/register', data)
  await keepToken(page, await logIn(people.tired), server.url)
  await page.goto(linkIn(await mailTo(email)))
  await main(page).getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/invitation$/)
  await expect(main(page).getByText(/^You are logged in as /)).toBeVisible()

  // As in the mail to who registers again before the address is confirmed.
  await call('POST', '/api/password-reset', { email })
  await page.evaluate(() => [localStorage, sessionStorage].forEach((storage) => storage.clear()))
  await page.goto('about:blank')
  await page.goto(linkIn(await mailTo(email)) + invitation.hash.replace('#', '.'))
  await main(page).getByLabel('New password', { exact: true }).fill(`${password} 2`)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/login$/)
  await main(page).getByLabel('Password', { exact: true }).fill(`${password} 2`)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/invitation$/)
})

test('a new user follows the link with the password, and is logged in', async ({ page, context }) => {
  const email = 'new@example.com'
  await page.goto(`${server.url}/register`)
  await main(page).getByLabel('Email').fill(email)
  const field = main(page).getByLabel('Password', { exact: true })
  for (const [typed, hint] of [
    ['123', '3 more characters'],
    ['123456', 'Easy to guess: the same or consecutive characters'],
    ['tiger7', '8 or more characters are safer'],
    [password, 'Long enough. The most common passwords are refused'],
  ] as const) {
    await field.fill(typed)
    await expect(field).toHaveAccessibleDescription(hint)
  }
  await main(page).getByRole('button', { name: 'Register' }).click()
  await expect(main(page).getByRole('heading', { name: 'Check your mail' })).toBeFocused()
  await expect(main(page).getByText(`A mail is on its way to ${email}.`)).toBeVisible()

  const link = linkIn(await mailTo(email))
  await page.goto(link)
  await main(page).getByLabel('Password', { exact: true }).fill('wrong')
  await main(page).getByRole('button', { name: 'Confirm' }).click()
  await expect(refusal(page)).toHaveText('The current password is wrong')
  await main(page).getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${server.url}/dashboard`)
  await expect(toast(page, 'Your email address is confirmed')).toBeVisible()

  const other = await context.newPage()
  await other.goto(link)
  await main(other).getByLabel('Password', { exact: true }).fill(password)
  await main(other).getByRole('button', { name: 'Confirm' }).click()
  await expect(refusal(other)).toHaveText(ended)
})

test('a user who lost the password sets a new one, once', async ({ page }) => {
  const email = people.locked
  await page.goto(`${server.url}/login`)
  await main(page).getByRole('link', { name: 'Forgot your password?' }).click()
  // The login has a field of the same name.
  await expect(main(page).getByRole('button', { name: 'Send link' })).toBeVisible()
  // Has no account, and gets no mail.
  await main(page).getByLabel('Email').fill('nobody@example.com')
  await main(page).getByRole('button', { name: 'Send link' }).click()
  await expect(main(page).getByRole('heading', { name: 'Check your mail' })).toBeFocused()

  const link = linkIn(await mailTo(email))
  await page.goto(link)
  const field = main(page).getByLabel('New password')
  const save = main(page).getByRole('button', { name: 'Save password' })
  await field.fill('12345')
  await save.click()
  await expect(refusal(page)).toHaveText('Password must be at least 6 characters long')
  await field.fill('password1')
  await save.click()
  await expect(refusal(page)).toContainText('easy to guess')
  await field.fill('battery staple')
  await save.click()
  await expect(page).toHaveURL(`${server.url}/login`)
  await expect(main(page).getByLabel('Email')).toHaveValue(email)
  await main(page).getByLabel('Password', { exact: true }).fill('battery staple')
  await main(page).getByRole('button', { name: 'Log in', exact: true }).click()
  await expect(page).toHaveURL(`${server.url}/dashboard`)

  await page.goto(link)
  await field.fill('another staple')
  await save.click()
  await expect(refusal(page)).toHaveText(ended)
  expect(smtp.mails.some(({ to }) => to.includes('nobody@example.com'))).toBe(false)
})

test('a user changes the email address; the old one is notified', async ({ page }) => {
  const next = 'hopper@example.com'
  await keepToken(page, await logIn(people.moving), server.url)
  await page.goto(`${server.url}/account`)
  const section = page.getByRole('region', { name: 'Email address' })
  await expect(section.getByText('Confirmed', { exact: true })).toBeVisible()
  await section.getByLabel('New email address').fill(next)
  await section.getByLabel('Current password').fill('wrong')
  await section.getByRole('button', { name: 'Change email address' }).click()
  await expect(section.getByRole('alert')).toHaveText('The current password is wrong')
  await section.getByLabel('Current password').fill(password)
  await section.getByRole('button', { name: 'Change email address' }).click()
  await expect(section.getByRole('status')).toContainText(`A mail is on its way to ${next}.`)

  await page.goto(linkIn(await mailTo(next)))
  await main(page).getByLabel('Password', { exact: true }).fill(password)
  await main(page).getByRole('button', { name: 'Confirm' }).click()
  await expect(page).toHaveURL(`${server.url}/account`)
  await expect(section.getByText(next)).toBeVisible()
  expect((await mailTo(people.moving)).text).toContain('has another email address now')
})

test('a user switches off the mails that remind, by the link in one', async ({ page }) => {
  expect((await mailTo(people.tired)).text).toContain('a webhook was created')
  const mail = await mailTo(people.tired)
  const link = /Switch these mails off: (\S+)/.exec(mail.text)?.[1] ?? ''
  expect(mail.headers['list-unsubscribe']).toBe(`<${link}>`)
  await page.goto(`${link}x`)
  await expect(page.getByText('This link is not valid')).toBeVisible()
  await page.goto(link)
  await page.getByRole('button', { name: 'Switch off' }).click()
  await expect(page.getByRole('heading', { name: 'These mails are off' })).toBeVisible()
  await keepToken(page, await logIn(people.tired), server.url)
  await page.goto(`${server.url}/account`)
  await expect(page.getByRole('switch', { name: 'Mail about expiring images' })).not.toBeChecked()
})
