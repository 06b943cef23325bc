// The widths of the ladder in a browser: which file it chooses on which screen, and that the page does not move.
import type { Browser } from '@playwright/test'
import { imageUrls } from '../contract/derive/client.ts'
import { sourceWidths } from '../contract/plain/width-ladder.ts'
import { jpeg } from './e2e-images.ts'
import { expect, test } from './test.ts'

const origin = process.env.E2E_URL ?? ''
const original = { width: 2600, height: 1950 }
/** The largest width in which the page shows the image, in CSS pixels. */
const shownPx = 800

interface Seen {
  shownPx: number
  filePx: number
  shift: number
}

async function open(browser: Browser, id: string, density: number, viewportPx: number): Promise<Seen> {
  const urlOf = (width: number) => imageUrls.file('', id, 'jpg', { w: width, fmt: 'auto' })
  const srcset = sourceWidths(original.width, shownPx)
    .map((width) => `${urlOf(width)} ${width}w`)
    .join(', ')
  const sizes = `(max-width: ${shownPx}px) 100vw, ${shownPx}px`
  const html = `<!doctype html><body style="margin: 0"><img src="${urlOf(shownPx)}" srcset="${srcset}" sizes="${sizes}"
    width="${shownPx}" height="600" alt="" loading="lazy" style="max-width: 100%; height: auto"><p>Below`
  const page = await browser.newPage({
    deviceScaleFactor: density,
    viewport: { width: viewportPx, height: 900 },
    serviceWorkers: 'block',
  })
  await page.route('**/elsewhere', (route) => route.fulfill({ contentType: 'text/html', body: html }))
  await page.goto(`${origin}/elsewhere`)
  const image = page.locator('img')
  await expect.poll(() => image.evaluate((element: HTMLImageElement) => element.complete)).toBe(true)
  const seen = await image.evaluate(async (element: HTMLImageElement) => {
    // Of an image with srcset the natural size is in CSS pixels.
    const file = new Image()
    file.src = element.currentSrc
    await file.decode()
    const shifts = await new Promise<PerformanceEntryList>((resolve) => {
      new PerformanceObserver((list) => resolve(list.getEntries())).observe({ type: 'layout-shift', buffered: true })
      setTimeout(resolve, 50, [])
    })
    const shift = shifts.reduce((sum, entry) => sum + (entry as PerformanceEntry & { value: number }).value, 0)
    return { shownPx: element.getBoundingClientRect().width, filePx: file.naturalWidth, shift }
  })
  await page.close()
  return seen
}

test('the chosen file has at most 1.3 times the pixels that the screen shows', async ({ browser }) => {
  const body = new FormData()
  body.append('image', new Blob([new Uint8Array(await jpeg(original.width, original.height))]), 'harbour.jpg')
  const { id } = (await (await fetch(`${origin}/api/upload`, { method: 'POST', body })).json()) as { id: string }
  const rows: string[] = []
  for (const density of [1, 2, 3]) {
    for (const viewportPx of [360, 768, 1440]) {
      const seen = await open(browser, id, density, viewportPx)
      const neededPx = seen.shownPx * density
      const ratio = (seen.filePx / neededPx) ** 2
      rows.push(`${density}x, ${viewportPx} px: ${neededPx} needed, ${seen.filePx} loaded, ${ratio.toFixed(2)}`)
      expect(ratio, rows.at(-1)).toBeLessThanOrEqual(1.3)
      // Never visibly less sharp than the screen.
      expect(ratio, rows.at(-1)).toBeGreaterThan(0.7)
      expect(seen.shift, rows.at(-1)).toBe(0)
    }
  }
  test.info().annotations.push({ type: 'chosen files', description: rows.join('\n') })
})
