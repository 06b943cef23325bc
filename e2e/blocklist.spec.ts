// Journeys of an admin on the tab Blocklist: blocking images and networks, finding and removing blocks.
import type { Page } from '@playwright/test'
import { callApi, tokenOf, uploadTo } from './api-calls.ts'
import { jpeg } from './e2e-images.ts'
import { keepToken } from './log-in.ts'
import { type RunningServer, startServer } from './server.ts'
import { expect, test } from './test.ts'
import { toast } from './upload.ts'

const admin = { email: 'boss@example.com', password: 'secret boss' }
let server: RunningServer
let token = ''

test.describe.configure({ mode: 'serial' })
// The browser logs the statuses of requests that are refused.
test.use({ expectedConsole: [/status of (400|409)/] })

test.beforeAll(async () => {
  server = await startServer({
    env: { ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password, TRUST_PROXY: '1' },
  })
  token = await tokenOf(server.url, 'login', admin)
})
test.afterAll(async () => void (await server?.stop()))

const codeOf = async (answer: Response) => ((await answer.json()) as { code?: string }).code

interface Uploaded {
  id: string
  url: string
  quarantined: boolean
}
const upload = (bytes: Buffer) => uploadTo(server.url, { bytes })

async function openList(page: Page, list: 'Images' | 'Networks'): Promise<void> {
  await keepToken(page, token, server.url)
  await page.goto(`${server.url}/admin`)
  await page.getByRole('tab', { name: 'Blocklist' }).click()
  await page.getByRole('tablist', { name: 'Blocklists' }).getByRole('tab', { name: list }).click()
  await expect(page.getByRole('heading', { name: `Blocked ${list.toLowerCase()}` })).toBeVisible()
}
const dialog = (page: Page) => page.getByRole('dialog')
const blockButton = (page: Page) => page.getByRole('button', { name: 'Block', exact: true })

test('an admin blocks images by URL and SHA-256, sees what was not found, and removes a block', async ({ page }) => {
  const bytes = await jpeg(300, 200, 10)
  const image = (await (await upload(bytes)).json()) as Uploaded
  await openList(page, 'Images')
  await expect(page.getByText('No blocked images')).toBeVisible()
  await blockButton(page).first().click()
  await dialog(page)
    .getByRole('textbox', { name: 'Images' })
    .fill(`${image.url}\n${'a'.repeat(64)}\n\nno-such-image`)
  await dialog(page).getByRole('textbox', { name: 'Reason' }).fill('Spam')
  await dialog(page).getByRole('button', { name: 'Block', exact: true }).click()
  await expect(dialog(page).getByRole('alert')).toHaveText('Not found: no-such-image')
  await expect(dialog(page).getByRole('textbox', { name: 'Images' })).toHaveValue('no-such-image')
  await expect(dialog(page).getByRole('textbox', { name: 'Images' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('row')).toHaveCount(3)
  await expect(page.getByText('2 images blocked, 1 quarantined').first()).toBeVisible()
  expect((await fetch(image.url)).status).toBe(451)
  expect(await codeOf(await upload(bytes))).toBe('image_blocked')

  await test.step('it is found by its reason or digest, and removed by keyboard', async () => {
    await page.getByRole('searchbox').fill('aaaa')
    await expect(page.getByText('1 image found')).toBeVisible()
    await expect(page).toHaveURL(/list=images&q=aaaa/)
    await page.getByRole('button', { name: 'Remove the block of aaaaaaaaaaaaaaaa…' }).press('Enter')
    const asked = page.getByRole('alertdialog', { name: 'Remove this block?' })
    await expect(asked.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await asked.getByRole('button', { name: 'Remove' }).press('Enter')
    await expect(toast(page, '1 image can be uploaded again')).toBeVisible()
    await expect(page.getByText('No blocked images match.')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Blocked images' })).toBeFocused()
    await page.getByRole('button', { name: 'Clear search' }).click()
    await expect(page.getByRole('row')).toHaveCount(2)
  })
})

test('an upload that looks like a blocked image is held for review, and the admin is led to the block', async ({
  page,
}) => {
  const copy = await jpeg(240, 160, 10)
  await keepToken(page, token, server.url)
  await page.goto(`${server.url}/dashboard`)
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: 'copy.jpg', mimeType: 'image/jpeg', buffer: copy })
  await expect(page.getByText('This image is shown after a review').first()).toBeVisible()

  await page.goto(`${server.url}/admin?tab=images&status=quarantined&q=copy`)
  await page.getByRole('button', { name: 'View copy.jpg' }).click()
  await expect(dialog(page)).toContainText('Looks like a blocked image')
  await dialog(page).getByRole('link', { name: 'Show the block' }).click()
  await expect(page.getByRole('rowheader')).toHaveCount(1)
  await expect(page.getByText('Same file and look-alikes')).toBeVisible()
})

test('an admin blocks networks, not the own one, finds the block of an address and removes several', async ({
  page,
}) => {
  await openList(page, 'Networks')
  await blockButton(page).first().click()
  const form = dialog(page)
  const networks = form.getByRole('textbox', { name: 'Networks' })

  await test.step('a mistake and the own network are refused', async () => {
    for (const [text, problem] of [
      ['198.51.100.0/33', 'networks: 198.51.100.0/33 is not an address or a network'],
      ['198.51.100.1\n127.0.0.0/8', 'The network 127.0.0.0/8 contains your own address'],
    ] as const) {
      await networks.fill(text)
      await form.getByRole('button', { name: 'Block', exact: true }).click()
      await expect(form.getByRole('alert')).toHaveText(problem)
      await expect(networks).toBeFocused()
    }
  })

  await test.step('several are blocked with a note and an end', async () => {
    await networks.fill('198.51.100.7/24\n2001:DB8::/48\n203.0.113.9')
    await form.getByRole('textbox', { name: 'Note' }).fill('Floods')
    await form.getByLabel('Ends').selectOption('In 7 days')
    await form.getByRole('button', { name: 'Block', exact: true }).click()
    await expect(toast(page, '3 networks blocked')).toBeVisible()
    await expect(form).toHaveCount(0)
    await expect(page.getByRole('row')).toHaveCount(4)
    await expect(page.getByRole('row', { name: /198\.51\.100\.0\/24/ })).toContainText('Floods')
  })

  const register = (address: string) =>
    callApi(server.url, '/api/register', {
      body: { email: `${crypto.randomUUID()}@example.com`, password: 'secret-1' },
      headers: { 'x-forwarded-for': address },
    })
  expect(await codeOf(await register('198.51.100.200'))).toBe('address_blocked')

  await test.step('an address finds the block that contains it', async () => {
    await page.getByRole('searchbox').fill('198.51.100.200')
    await expect(page.getByText('1 network found')).toBeVisible()
    await expect(page.getByRole('rowheader')).toContainText('198.51.100.0/24')
    await page.getByRole('searchbox').fill('')
    await expect(page.getByText('3 networks', { exact: true })).toBeVisible()
  })

  await test.step('selected blocks are removed together', async () => {
    await page.getByRole('checkbox', { name: 'Select 198.51.100.0/24' }).press('Space')
    const bar = page.getByRole('region', { name: 'Selected blocks' })
    await expect(bar).toContainText('1 selected')
    await bar.getByRole('button', { name: 'Select all 3' }).click()
    await page.keyboard.press('Escape')
    await expect(page.getByText('3 selected')).toHaveCount(0)
    for (const name of ['198.51.100.0/24', '203.0.113.9'])
      await page.getByRole('checkbox', { name: `Select ${name}` }).check()
    await page.getByRole('button', { name: 'Remove', exact: true }).last().click()
    const asked = page.getByRole('alertdialog', { name: 'Remove the blocks of 2 networks?' })
    await asked.getByRole('button', { name: 'Remove' }).click()
    await expect(toast(page, '2 networks no longer blocked')).toBeVisible()
    await expect(page.getByRole('rowheader')).toHaveCount(1)
  })
  expect(await codeOf(await register('198.51.100.200'))).toBe(undefined)
})
