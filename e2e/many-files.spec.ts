// An ordinary day: a user uploads 300 files in one tab and browses in another.
import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { logIn } from './log-in.ts'
import { onOwnServer } from './own-server.ts'
import { expect } from './test.ts'
import { tile } from './upload.ts'

const count = 300

// Empty: the defaults of the limits that the other journeys switch off.
const test = onOwnServer({
  RATE_LIMIT: '',
  RENDER_LIMIT: '',
  USER_UPLOADS_PER_HOUR: '',
  CONNECTIONS_PER_ADDRESS: '',
})
/** As often as a person looks at a gallery within a minute; each visit takes five requests. */
const visits = 10
test.setTimeout(240_000)

/** Different images, so that each one is stored. */
const images = () =>
  Promise.all(
    Array.from({ length: count }, async (_, at) => ({
      name: `IMG_${at + 1}.png`,
      mimeType: 'image/png',
      buffer: await sharp({
        create: { width: 300 + at, height: 200, channels: 3, background: { r: at % 256, g: 90, b: 60 } },
      })
        .png()
        .toBuffer(),
    })),
  )

/** Collects what the server refuses. */
function refusals(page: Page): string[] {
  const found: string[] = []
  page.on('response', (response) => {
    if (response.status() >= 400) found.push(`${response.status()} ${response.url()}`)
  })
  return found
}

test('300 files are uploaded with default limits while a second tab browses', async ({ page, context }) => {
  await logIn(page)
  const refused = refusals(page)
  await page.goto('/dashboard')
  const dialog = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Choose image' }).click()
  await (await dialog).setFiles(await images())
  const heading = page.getByRole('region', { name: 'Uploads' }).getByRole('heading')
  await expect(tile(page, /./).first()).toBeVisible()

  const second = await context.newPage()
  const refusedThere = refusals(second)
  for (let visit = 0; visit < visits; visit++) {
    await second.goto('/dashboard')
    await expect(second.getByRole('heading', { level: 1 })).toContainText('@example.com')
    await tile(second, /./).getByRole('link').first().click()
    const viewer = second.getByRole('dialog')
    await expect(viewer.getByRole('img').first()).toBeVisible()
    await second.keyboard.press('ArrowRight')
    await second.keyboard.press('Escape')
    await expect(viewer).toHaveCount(0)
  }
  expect(refusedThere).toEqual([])
  await expect(heading).toHaveText(`${count} images uploaded`, { timeout: 200_000 })
  expect(refused).toEqual([])
  await second.reload()
  await expect(second.getByText(`${count} images ·`)).toBeVisible()
})
