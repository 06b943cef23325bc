// Measures the landing and the dashboard in desktop Chromium on a phone's network and processor: paint, layout shifts, input
// latency, frames, bytes.
import type { Page } from '@playwright/test'
import { jpeg } from '../e2e/e2e-images.ts'
import { register, store } from '../faults/client.ts'
import { withFolder, withServer } from '../faults/resources.ts'
import type { Benchmark } from './benchmark.ts'
import { copyImage } from './copied-images.ts'
import { isChosen, measureScreens, type Screen } from './throttled-browser.ts'

const shape = { short: { galleries: [300], rounds: 1 }, full: { galleries: [200, 2000, 100_000], rounds: 5 } } as const
/** More than the scrolled part of the gallery loads. */
const withFiles = 300

export const benchmark: Benchmark = {
  title:
    'landing and dashboard in Chromium, 4G (9 Mbit/s, 170 ms), processor 4 times slower, each opened by its address',
  async run(form) {
    const { galleries, rounds } = shape[form]
    const tables = []
    for (const images of galleries) {
      const screensOf = (token: string) => [...(images === galleries[0] ? [landing] : []), dashboard(images, token)]
      if (!screensOf('').some(isChosen)) continue
      tables.push(
        ...(await withFolder(async (dataDir) => {
          const token = await createGallery(dataDir, images)
          return withServer({ dataDir }, ({ url }) => measureScreens(url, screensOf(token), rounds))
        })),
      )
    }
    return tables
  },
}

const landing: Screen = {
  name: 'landing',
  path: '/',
  waitFor: (page) => page.getByRole('button', { name: 'Choose image' }).focus(),
  steps: {
    async 'shortcuts opened and closed'(page) {
      await page.keyboard.press('?')
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
      await page.keyboard.press('Escape')
    },
  },
}

/** Creates a gallery. @returns the token of its owner */
async function createGallery(dataDir: string, images: number): Promise<string> {
  const made = await withServer({ dataDir }, async ({ url }) => {
    const token = await register(url, 'many@example.com')
    return { token, ...(await store(url, await jpeg(1500, 1000), { token })) }
  })
  await copyImage(dataDir, made.id, images - 1, withFiles)
  return made.token
}

// By selectors: roles and names of the whole page would be computed on its slow processor, between a click and its paint.
const firstImage = (page: Page) => page.locator('main li[aria-setsize] > a').first()
const viewer = (page: Page) => page.locator('dialog[aria-label="Image viewer"]')

const dashboard = (images: number, token: string): Screen => ({
  name: `dashboard with ${images.toLocaleString('en')} images`,
  path: '/dashboard',
  token,
  scrollPx: 6000,
  waitFor: (page) => firstImage(page).waitFor(),
  steps: {
    async 'next tile by a key'(page) {
      await firstImage(page).focus()
      await page.keyboard.press('ArrowRight')
    },
    async 'viewer opened'(page) {
      await firstImage(page).click()
      await viewer(page).locator('img').first().waitFor()
    },
    'next image': (page) => page.keyboard.press('ArrowRight'),
    async 'viewer closed'(page) {
      await page.keyboard.press('Escape')
      await viewer(page).waitFor({ state: 'detached' })
    },
    async 'one selected'(page) {
      await firstImage(page).focus()
      await page.keyboard.press('x')
    },
    'all selected': (page) => page.keyboard.press('Control+a'),
    'selection ended': (page) => page.keyboard.press('Escape'),
    async 'menu opened'(page) {
      await firstImage(page).click({ button: 'right' })
      await page.locator('.image-menu').waitFor()
    },
    'menu closed': (page) => page.keyboard.press('Escape'),
    async 'palette opened'(page) {
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').getByRole('combobox').waitFor()
    },
    'typing in the palette': (page) => page.keyboard.type('theme'),
    'palette closed': (page) => page.keyboard.press('Escape'),
    'list view': (page) => page.getByRole('button', { name: 'List', exact: true }).click(),
    'grid view': (page) => page.getByRole('button', { name: 'Grid', exact: true }).click(),
    async 'share sheet opened'(page) {
      await firstImage(page).focus()
      await page.keyboard.press('s')
      await page.getByRole('dialog').waitFor()
    },
    'share sheet closed': (page) => page.keyboard.press('Escape'),
    async 'typing in the search'(page) {
      await page.getByRole('combobox', { name: 'Search names, titles and tags' }).pressSequentially('picture')
      await page.waitForResponse(/[?&]q=|search=/)
    },
  },
})
