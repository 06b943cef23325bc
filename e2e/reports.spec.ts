// Journeys of a report: a visitor reports an image, an admin decides about it.
import type { Page } from '@playwright/test'
import { callApi, tokenOf, uploadTo } from './api-calls.ts'
import { jpeg } from './e2e-images.ts'
import { keepToken } from './log-in.ts'
import { type RunningServer, startServer } from './server.ts'
import { expect, test } from './test.ts'
import { toast } from './upload.ts'

const admin = { email: 'boss@example.com', password: 'secret boss' }
const dana = { email: 'dana@example.com', password: 'secret dana' }
let server: RunningServer
const tokens = { admin: '', user: '' }

test.describe.configure({ mode: 'serial' })
// The browser logs the statuses of refused reports and of images that are not served.
test.use({ expectedConsole: [/status of (404|409|410|451)/] })

test.beforeAll(async () => {
  server = await startServer({ env: { TRUST_PROXY: '1', ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password } })
  tokens.admin = await tokenOf(server.url, 'login', admin)
  tokens.user = await tokenOf(server.url, 'register', dana)
})
test.afterAll(async () => void (await server?.stop()))

interface Uploaded {
  id: string
  url: string
}

const upload = async (name: string, hue: number, token = '') =>
  (await uploadTo(server.url, { name, bytes: await jpeg(300, 200, hue), token })).json() as Promise<Uploaded>
const statusOf = async ({ url }: Uploaded) => (await fetch(url)).status
let reporters = 0
/** Each from an address of its own, which may send 5 reports an hour. */
const report = (image: Uploaded, reason: string, comment = '') =>
  callApi(server.url, '/api/reports', {
    body: { image: image.url, reason, ...(comment !== '' && { comment }) },
    headers: { 'x-forwarded-for': `192.0.2.${++reporters}` },
  })

const form = (page: Page) => page.getByRole('form', { name: 'Report' })
const send = (page: Page) => form(page).getByRole('button', { name: 'Send report' })
const reported = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Reported images' }).getByRole('listitem', { name, exact: true })

test('a visitor reports an image by its address, and mistakes are shown at their fields', async ({ page }) => {
  const image = await upload('harbour.jpg', 10, tokens.user)
  await page.goto(`${server.url}/contact`)
  await page.getByRole('main').getByRole('link', { name: 'Report an image' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Report an Image' })).toBeVisible()

  await test.step('what is missing', async () => {
    await send(page).click()
    await expect(form(page).getByRole('alert')).toHaveText('Image address is required')
    await expect(form(page).getByLabel('Reason')).toHaveAccessibleDescription('Choose a reason')
    await expect(form(page).getByLabel('Image address')).toBeFocused()
    await form(page).getByLabel('Reason').selectOption('Other')
    await form(page).getByLabel('Image address').fill(`${server.url}/uploads/nothing.jpg`)
    await form(page).getByLabel('Your email').fill('eve')
    await send(page).click()
    await expect(form(page).getByLabel('What is wrong?')).toHaveAccessibleDescription(/Say what is wrong/)
    await expect(form(page).getByLabel('Your email')).toHaveAccessibleDescription(/This is not an email address/)
  })

  await test.step('an unknown image', async () => {
    await form(page).getByLabel('What is wrong?').fill('My photograph.\n<b>Mine</b>')
    await form(page).getByLabel('Your email').fill('eve@example.com')
    await send(page).click()
    await expect(form(page).getByRole('button', { name: 'Sending...' })).toBeDisabled()
    await expect(form(page).getByLabel('Image address')).toHaveAccessibleDescription(/Image not found/)
    await expect(form(page).getByLabel('Image address')).toBeFocused()
  })

  await test.step('the report is sent once', async () => {
    await form(page).getByLabel('Image address').fill(image.url)
    await form(page).getByLabel('Reason').selectOption('Copyright')
    await send(page).click()
    await expect(page.getByRole('heading', { name: 'Thank you' })).toBeFocused()
    await expect(form(page)).toHaveCount(0)
    await page.getByRole('button', { name: 'Report another image' }).click()
    await expect(form(page).getByLabel('Image address')).toHaveValue('')
  })
})

test('the share page leads to the form, with the image filled in; the viewer of its owner does not', async ({
  page,
}) => {
  await keepToken(page, tokens.user, server.url)
  await page.goto(`${server.url}/dashboard`)
  await page.getByRole('main').getByRole('link', { name: 'harbour.jpg' }).first().click()
  const viewer = page.getByRole('dialog', { name: 'Image viewer' })
  await viewer.getByRole('button', { name: 'Image details' }).click()
  const sharePage = viewer.getByRole('link', { name: 'Open the share page' })
  await expect(sharePage).toBeVisible()
  await expect(viewer.getByRole('link', { name: /Report/ })).toHaveCount(0)
  await page.goto((await sharePage.getAttribute('href')) ?? '')
  await page.getByRole('link', { name: 'Report this image' }).click()
  await expect(page).toHaveURL(/\/report\?image=[\w-]{22}$/)
  await expect(form(page).getByLabel('Image address')).toHaveValue(/^[\w-]{22}$/)
  await expect(form(page).getByLabel('Your email')).toHaveValue(dana.email)
})

test('an admin sees a reported image that its owner has deleted, and until when it can come back', async ({ page }) => {
  const image = await upload('regret.jpg', 40, tokens.user)
  await report(image, 'spam')
  const headers = { authorization: `Bearer ${tokens.user}` }
  await fetch(`${server.url}/api/images/${image.id}?trash=1`, { method: 'DELETE', headers })
  expect(await statusOf(image)).toBe(410)
  await keepToken(page, tokens.admin, server.url)
  await page.goto(`${server.url}/admin?tab=reports`)
  const card = reported(page, 'regret.jpg')
  await expect(card).toContainText('Recently deleted, can be restored until')
  const picture = card.locator('img')
  await expect.poll(() => picture.evaluate((shown: HTMLImageElement) => shown.naturalWidth)).toBeGreaterThan(0)
  await expect(card.getByRole('link', { name: /View/ })).toHaveCount(0)
  await card.getByRole('button', { name: 'Dismiss' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Dismiss' }).click()
  await expect(card).toHaveCount(0)
})

test('an admin dismisses, quarantines and removes reported images, each with a note', async ({ page }) => {
  const [cat, guests] = [await upload('cat.jpg', 20, tokens.user), await upload('guests.jpg', 30)]
  await report(cat, 'spam')
  await report(guests, 'illegal', 'Look at this')
  await report(cat, 'harassment', 'Shows me')
  await keepToken(page, tokens.admin, server.url)
  await page.goto(`${server.url}/dashboard`)
  await page.getByRole('button', { name: admin.email }).click()
  await page.getByRole('link', { name: 'Admin, 3 reports to decide' }).click()
  await expect(page.getByRole('tab', { name: 'Reports, 3 reports to decide', exact: true })).toBeVisible()
  await page.getByRole('link', { name: '3 reports to decide' }).click()
  await expect(page.getByRole('tabpanel').getByText('3 reports to decide')).toBeVisible()
  await expect(page.getByRole('heading', { level: 3 })).toHaveText(['harbour.jpg', 'cat.jpg', 'guests.jpg'])
  await expect(reported(page, 'harbour.jpg')).toContainText(dana.email)
  await expect(reported(page, 'harbour.jpg')).toContainText('My photograph.\n<b>Mine</b>')
  await expect(reported(page, 'harbour.jpg').getByRole('link', { name: 'eve@example.com' })).toBeVisible()
  await expect(reported(page, 'cat.jpg')).toContainText('2 reports')
  await expect(reported(page, 'cat.jpg')).toContainText('Shows me')
  await expect(reported(page, 'guests.jpg')).toContainText('Guest')

  const decide = async (action: string, name: string, note: string) => {
    await reported(page, name)
      .getByRole('button', { name: `${action} ${name}` })
      .click()
    const dialog = page.getByRole('alertdialog')
    await expect(dialog).toContainText(name)
    await expect(dialog.getByLabel('Note')).toBeFocused()
    await dialog.getByLabel('Note').fill(note)
    await dialog.getByRole('button', { name: action }).click()
    await expect(dialog).toHaveCount(0)
    await expect(reported(page, name)).toHaveCount(0)
  }

  await test.step('quarantine', async () => {
    await decide('Quarantine', 'cat.jpg', 'Look again on Monday')
    await expect(toast(page, 'The image was quarantined')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'guests.jpg' }), 'the next card').toBeFocused()
    expect(await statusOf(cat)).toBe(451)
  })
  await test.step('remove', async () => {
    await decide('Remove', 'guests.jpg', 'Illegal')
    expect(await statusOf(guests)).toBe(410)
  })
  await test.step('dismiss', async () => {
    await decide('Dismiss', 'harbour.jpg', 'A licence exists')
    await expect(page.getByText('No reports to decide')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Reports' })).toBeFocused()
    await expect(page.getByRole('tab', { name: 'Reports', exact: true }), 'without a number').toBeVisible()
  })

  await test.step('the decisions are listed, the newest first', async () => {
    await page.getByLabel('Status', { exact: true }).selectOption('Decided')
    // Those of the tests before follow.
    const newest = async () => (await page.getByRole('heading', { level: 3 }).allTextContents()).slice(0, 3)
    await expect.poll(newest).toEqual(['harbour.jpg', 'guests.jpg', 'cat.jpg'])
    await expect(page).toHaveURL(/status=decided/)
    await expect(reported(page, 'harbour.jpg')).toContainText(`Dismissed by ${admin.email}`)
    await expect(reported(page, 'harbour.jpg')).toContainText('A licence exists')
    await expect(reported(page, 'guests.jpg')).toContainText('No longer exists')
    await expect(reported(page, 'cat.jpg')).toContainText('Quarantined')
    await reported(page, 'cat.jpg').getByRole('link', { name: 'View cat.jpg on the tab Images' }).click()
    await expect(page.getByRole('button', { name: 'View cat.jpg' })).toBeVisible()
  })
})

test('a decision that another admin was faster with is refused, and the list is loaded again', async ({ page }) => {
  const image = await upload('late.jpg', 40, tokens.user)
  await report(image, 'spam')
  await keepToken(page, tokens.admin, server.url)
  await page.goto(`${server.url}/admin?tab=reports`)
  await reported(page, 'late.jpg').getByRole('button', { name: 'Dismiss late.jpg' }).click()
  const token = tokens.admin
  const [{ id }] = (await (await callApi(server.url, '/api/admin/reports', { token })).json()) as [Uploaded]
  await callApi(server.url, `/api/admin/reports/${id}/decide`, { token, body: { action: 'dismiss' } })
  const dialog = page.getByRole('alertdialog')
  await dialog.getByRole('button', { name: 'Dismiss' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('An admin has already decided about this report')
  await page.keyboard.press('Escape')
  await expect(page.getByText('No reports to decide')).toBeVisible()
})

test('several reports are dismissed together', async ({ page }) => {
  await keepToken(page, tokens.admin, server.url)
  for (const hue of [60, 70]) await report(await upload(`hue-${hue}.jpg`, hue, tokens.user), 'spam')
  await page.goto(`${server.url}/admin?tab=reports`)
  await page.getByRole('checkbox', { name: 'Select hue-60.jpg' }).check()
  const bar = page.getByRole('region', { name: 'Selected reports' })
  await expect(bar).toContainText('1 selected')
  await bar.getByRole('button', { name: 'Select all 2' }).click()
  await bar.getByRole('button', { name: 'Dismiss' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Dismiss the reports of 2 images?' })
  await dialog.getByLabel('Note').fill('All fine')
  await dialog.getByRole('button', { name: 'Dismiss' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(bar).toHaveCount(0)
  await expect(page.getByText('No reports to decide')).toBeVisible()
})

test('the owner of a reported image can be suspended from its card', async ({ page }) => {
  await keepToken(page, tokens.admin, server.url)
  await report(await upload('again.jpg', 50, tokens.user), 'spam')
  await page.goto(`${server.url}/admin?tab=reports`)
  await page.getByRole('link', { name: `Suspend the owner ${dana.email} on the tab Users` }).click()
  await expect(page.getByRole('tab', { name: 'Users' })).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByRole('rowheader')).toHaveText([dana.email])
  await expect(page.getByRole('button', { name: `Deactivate ${dana.email}` })).toBeVisible()
})
