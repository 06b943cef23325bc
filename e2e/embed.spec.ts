// Journeys in the embed dialog: every format, its options, keys, stored choices, and the code in a real page.
import type { Page } from '@playwright/test'
import { jpeg } from './e2e-images.ts'
import { logIn } from './log-in.ts'
import { expect, test } from './test.ts'
import { pick, toast, tile } from './upload.ts'

const labels = [
  ['HTML', /^<img\n {2}src="[^"]+\/i\/[\w-]{22}\.jpg\?w=800&amp;fmt=auto"/],
  ['React', /<img\n[^]*srcSet="http[^"]+ 2000w"/],
  ['Vue', /^<script setup lang="ts">/],
  ['Angular', /ngSrc="[\w-]{22}\.jpg" ngSrcset="320w, 400w, .* 2000w"/],
  ['Flutter', /^AspectRatio\(\n {2}aspectRatio: 800 \/ 600,/],
  ['Laravel', /@props\(.*\)\n\n<img \{\{ \$attributes->merge\(\[/],
  ['Markdown', /^!\[harbour at dusk\]\(http[^)]+\?w=800&fmt=auto\)$/],
  ['WordPress', /^<!-- wp:image \{"width":"800px"/],
  ['iOS', /AsyncImage\(url: url, transaction: /],
  ['Android', /contentDescription = "harbour at dusk",/],
  ['jQuery', /\$\("<img>", \{\n {2}loading: "lazy",/],
  ['Python', /requests\.get\("http[^"]+", timeout=10\)/],
] as const

const drawing =
  '<svg xmlns="http://www.w3.org/2000/svg" width="900" height="600"><circle cx="450" cy="300" r="200"/></svg>'

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Embed code' })
const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true })
const code = (page: Page) => page.getByRole('tabpanel')
const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

async function openDialog(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Embed code' }).last().click()
  await expect(dialogOf(page)).toBeVisible()
}

async function start(page: Page): Promise<void> {
  await page.goto('/')
  await pick(page, { name: 'harbour-at-dusk.jpg', mimeType: 'image/jpeg', buffer: await jpeg(2000, 1500) })
  await expect(page.getByRole('heading', { name: 'Recent uploads' })).toBeVisible()
  await openDialog(page)
}

test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

test('every format is copied as it is shown', async ({ page }) => {
  await start(page)
  await expect(page.getByRole('tab')).toHaveText(labels.map(([label]) => label))
  for (const [label, pattern] of labels) {
    await test.step(label, async () => {
      await tab(page, label).click()
      await dialogOf(page)
        .getByRole('button', { name: `Copy ${label} code` })
        .click()
      await expect(toast(page, `${label} code copied!`).last()).toBeVisible()
      const copied = await clipboard(page)
      expect(copied).toMatch(pattern)
      const lines = (text: string) => text.split('\n').filter((line) => line.trim() !== '')
      expect(lines(await code(page).innerText())).toEqual(lines(copied))
    })
  }
})

test('the Copied mark stays for 2 seconds', async ({ page }) => {
  await page.clock.install()
  await start(page)
  const mark = dialogOf(page).getByText('Copied', { exact: true })
  await dialogOf(page).getByRole('button', { name: /^Copy/ }).click()
  await expect(mark).toBeAttached()
  await page.clock.pauseAt(Date.now() + 60_000)
  await expect(mark).not.toBeAttached()
  await dialogOf(page).getByRole('button', { name: /^Copy/ }).click()
  await expect(mark).toBeAttached()
  await page.clock.runFor(1900)
  await expect(mark).toBeAttached()
  await page.clock.runFor(200)
  await expect(mark).not.toBeAttached()
})

test('width, alt text and the responsive option change the code and the preview', async ({ page }) => {
  await start(page)
  const dialog = dialogOf(page)
  await dialog.getByLabel('Width').selectOption('400 px')
  await expect(code(page)).toContainText('width="400" height="300"')
  await expect(dialog.getByRole('img')).toHaveAttribute('src', /w=400&fmt=auto$/)

  await dialog.getByLabel('Width').selectOption('Original (2000 px)')
  await expect(code(page)).toContainText('width="2000" height="1500"')
  await expect(dialog.getByRole('img')).toHaveAttribute('src', /\/uploads\/harbour-at-dusk/)

  await dialog.getByLabel('Responsive').uncheck()
  await expect(code(page)).not.toContainText('srcset')

  await dialog.getByLabel('Links to').selectOption('Its page')
  await expect(code(page)).toContainText(/^<a href="[^"]+\/i\/[\w-]{22}">/)
  await tab(page, 'iOS').click()
  await expect(dialog.getByLabel('Links to')).toBeDisabled()
  await tab(page, 'HTML').click()

  await dialog.getByLabel('Alt text').fill('"><script>alert(1)</script>')
  await expect(code(page)).toContainText('alt="&quot;&gt;&lt;script&gt;')
  await dialog.getByLabel('Alt text').fill('')
  await expect(dialog.getByText('Decorative image')).toBeVisible()
  await expect(code(page)).toContainText('alt=""')
})

test('the last format, width and link target are stored', async ({ page }) => {
  await start(page)
  await tab(page, 'Vue').click()
  await dialogOf(page).getByLabel('Width').selectOption('1200 px')
  await dialogOf(page).getByLabel('Links to').selectOption('The image')
  await page.keyboard.press('Escape')
  await page.reload()
  await openDialog(page)
  await expect(tab(page, 'Vue')).toHaveAttribute('aria-selected', 'true')
  await expect(dialogOf(page).getByLabel('Width')).toHaveValue('1200')
  await expect(dialogOf(page).getByLabel('Links to')).toHaveValue('image')

  await test.step('an invalid stored format or width is ignored', async () => {
    await page.evaluate(() => {
      localStorage.setItem('embed_format', '__proto__')
      localStorage.setItem('embed_width', '-1')
    })
    await page.reload()
    await openDialog(page)
    await expect(tab(page, 'HTML')).toHaveAttribute('aria-selected', 'true')
    await expect(dialogOf(page).getByLabel('Width')).toHaveValue('800')
  })
})

test('the tabs are operable by keyboard', async ({ page }) => {
  await start(page)
  await tab(page, 'HTML').focus()
  for (const [key, name] of [
    ['ArrowRight', 'React'],
    ['End', 'Python'],
    ['ArrowRight', 'HTML'],
    ['ArrowLeft', 'Python'],
    ['Home', 'HTML'],
  ] as const) {
    await page.keyboard.press(key)
    await expect(tab(page, name)).toBeFocused()
    await expect(tab(page, name)).toHaveAttribute('aria-selected', 'true')
    await expect(page.getByRole('tabpanel', { name })).toBeVisible()
  }
  await page.keyboard.press('Tab')
  await expect(dialogOf(page).getByLabel('Width')).toBeFocused()
})

test('the HTML code works in a page with any alt text', async ({ page }) => {
  const alt = `"><script>document.title='broken'</script>\${x}{{y}}`
  await start(page)
  await dialogOf(page).getByLabel('Alt text').fill(alt)
  await dialogOf(page).getByRole('button', { name: /^Copy/ }).click()
  const html = await clipboard(page)
  // A page without our CSP, which would block an injected script.
  await page.route('**/elsewhere', (route) =>
    route.fulfill({ contentType: 'text/html', body: `<title>fine</title><body>${html}` }),
  )
  await page.goto('/elsewhere')
  const picture = page.getByRole('img')
  await expect(picture).toHaveCount(1)
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  await expect(picture).toHaveAttribute('alt', alt)
  expect(await page.title()).toBe('fine')
})

test('an SVG is embedded in its own format', async ({ page }) => {
  await logIn(page)
  await page.goto('/dashboard')
  await pick(page, { name: 'mark.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(drawing) })
  await tile(page, /^mark\.svg/)
    .getByRole('link')
    .focus()
  await page.keyboard.press('e')
  await expect(code(page)).toContainText('.svg"')
  await expect(code(page)).not.toContainText('/i/')
  await expect(dialogOf(page).getByLabel('Responsive')).toBeDisabled()
})
