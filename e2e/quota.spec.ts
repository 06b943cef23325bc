// Journeys at the limits of an instance: its settings in every text, the bars of the quotas, and a refused upload.
import { jpeg, noise } from './e2e-images.ts'
import { keepToken } from './log-in.ts'
import { type RunningServer, startServer } from './server.ts'
import { expect, test } from './test.ts'
import { pick, toast, zone } from './upload.ts'

let server: RunningServer
let token: string

test.beforeAll(async () => {
  server = await startServer({
    env: {
      GUEST_MAX_BYTES: '2097152',
      GUEST_RETENTION_DAYS: '14',
      USER_MAX_BYTES: '20971520',
      USER_RETENTION_DAYS: '100',
      USER_QUOTA_BYTES: '5000000',
      USER_QUOTA_IMAGES: '2',
      GUEST_QUOTA_BYTES: '300000',
    },
  })
  const body = JSON.stringify({ email: 'quota@example.com', password: 'secret quota' })
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${server.url}/api/register`, { method: 'POST', headers, body })
  token = ((await answer.json()) as { token: string }).token
})
test.afterAll(async () => void (await server?.stop()))

test('the sizes and days of the settings are in every text', async ({ page }) => {
  // Before any script has run, and after.
  expect(await (await page.request.get(server.url)).text()).toContain('Guest data is kept 14 days.')
  await page.goto(server.url)
  for (const text of [
    'No account needed for images up to 2 MB.',
    'Guest data is kept 14 days.',
    'PNG, JPG/JPEG or WebP, up to 2 MB',
    /Images up to 20 MB/,
    /Kept 100 days by default/,
  ])
    await expect(page.getByText(text)).toBeVisible()
  await page.goto(`${server.url}/register`)
  await expect(page.getByText('Images up to 20 MB, kept 100 days and longer.')).toBeVisible()
  await page.goto(`${server.url}/terms`)
  await expect(page.getByText(/up to 2 MB, kept 14 days\. .* up to 20 MB, kept 100 days by default/)).toBeVisible()
  await page.goto(`${server.url}/privacy`)
  await expect(page.getByText(/Guest data is kept 14 days/)).toBeVisible()
})

test.describe('a user', () => {
  // The browser logs rejected requests by itself.
  test.use({ expectedConsole: [/status of 413/] })

  test('sees how much of the quota is used, and reads the limit when it is full', async ({ page }) => {
    await keepToken(page, token, server.url)
    await page.goto(`${server.url}/dashboard`)
    const bar = page.getByRole('meter')
    // Nothing is used yet.
    await expect(page.getByText('0 images')).toBeVisible()
    await expect(bar).toHaveCount(0)
    const file = { name: 'one.jpg', mimeType: 'image/jpeg', buffer: await jpeg() }
    for (const share of ['50', '100']) {
      await pick(page, file)
      await expect(page.getByRole('meter', { name: 'Images used' })).toHaveAttribute('aria-valuenow', share)
      await expect(toast(page, 'Image uploaded successfully!')).toHaveCount(0, { timeout: 10_000 })
    }
    await expect(bar).toHaveAttribute('aria-valuetext', '2 of 2 images')
    await pick(page, file)
    await expect(
      toast(page, 'This would exceed the storage quota of your account, 2 images. Delete images, then try again'),
    ).toBeVisible()
    await expect(zone(page)).toContainText('Deleted images count for as long as they are in Recently deleted')
    await zone(page).getByRole('button', { name: 'Discard' }).click()

    await page.goto(`${server.url}/account`)
    await expect(page.getByText('2 of 2', { exact: true })).toBeVisible()
    await expect(page.getByRole('meter', { name: 'Images' })).toHaveAttribute('aria-valuenow', '100')
    await expect(page.getByRole('meter', { name: 'Storage' })).toHaveAttribute('aria-valuetext', / of 4\.8 MB$/)
    await page.goto(`${server.url}/notifications`)
    await expect(page.getByText('Images are kept 100 days by default.')).toBeVisible()
  })
})

test.describe('a guest', () => {
  test.use({ expectedConsole: [/status of 507/] })

  test('waits while the server is full, reads why, and goes on by itself once there is space', async ({ page }) => {
    const body = new FormData()
    body.append('image', new File([new Uint8Array(await noise(300))], 'first.png', { type: 'image/png' }))
    const first = await fetch(`${server.url}/api/upload`, { method: 'POST', body })
    const { id, delete_token } = (await first.json()) as { id: string; delete_token: string }

    await page.goto(server.url)
    await pick(page, { name: 'second.png', mimeType: 'image/png', buffer: await noise(250) })
    await expect(zone(page)).toContainText(/The storage for uploads without an account, .* in all, is full\. Log in/)
    await expect(zone(page)).toContainText('It continues by itself once there is room. Keep this page open.')
    const asked = page.waitForResponse((response) => response.status() === 507)
    await zone(page).getByRole('button', { name: 'Try again now' }).click()
    await asked

    await fetch(`${server.url}/api/images/${id}`, {
      method: 'DELETE',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: delete_token }),
    })
    await expect(toast(page, 'Image uploaded successfully!')).toBeVisible({ timeout: 20_000 })
  })
})
