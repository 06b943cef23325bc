// What several journeys do on the page: the ways to hand it a file, and what a link must answer.
import type { FileChooser, Page } from '@playwright/test'
import sharp from 'sharp'
import { expect } from './test.ts'

export interface Picture {
  name: string
  mimeType: string
  buffer: Buffer
}

export const zone = (page: Page) => page.getByRole('group', { name: 'Upload an image' })
export const toast = (page: Page, text: string) =>
  page.getByRole('region', { name: 'Messages' }).getByText(text, { exact: true })

/** By the button and the dialog of the system, as most people do. */
export async function pick(page: Page, ...pictures: Picture[]): Promise<void> {
  const dialog = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Choose image' }).click()
  await (await dialog).setFiles(pictures)
}

/**
 * The dialog of the system that a key opens. A key and the order to hold that dialog back reach the page by two ways, and on
 * a busy machine the key is faster: then the real dialog opens, of which no test hears. An answer from the page means that the
 * order has arrived before. (A click asks the page for the place of the button first, which does the same.)
 */
export async function dialogByKey(page: Page, key: string): Promise<FileChooser> {
  const dialog = page.waitForEvent('filechooser')
  await page.evaluate(() => {})
  await page.keyboard.press(key)
  return dialog
}

/** The keys of every page are heard, and their script is there: some must be answered while the press still counts. */
export async function keysAreHeard(page: Page): Promise<void> {
  const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await page.keyboard.press('?')
  await expect(list).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(list).toHaveCount(0)
}

/** As a file manager drops files on a page. */
export async function drop(page: Page, ...pictures: Picture[]): Promise<void> {
  const files = await transferOf(page, pictures)
  for (const type of ['dragenter', 'dragover', 'drop']) await zone(page).dispatchEvent(type, { dataTransfer: files })
}

export async function transferOf(page: Page, pictures: Picture[]) {
  const given = pictures.map(({ name, mimeType, buffer }) => ({ name, mimeType, base64: buffer.toString('base64') }))
  return page.evaluateHandle((all) => {
    const transfer = new DataTransfer()
    for (const { name, mimeType, base64 } of all) {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
      transfer.items.add(new File([bytes], name, { type: mimeType }))
    }
    return transfer
  }, given)
}

/** Through the clipboard itself: a PNG is copied, then the key is pressed. */
export async function paste(page: Page, png: Buffer): Promise<void> {
  await page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': new Blob([bytes], { type: 'image/png' }) })])
  }, png.toString('base64'))
  await page.keyboard.press('ControlOrMeta+V')
}

/** The link that the page shows once an upload is done. */
export async function shownLink(page: Page): Promise<string> {
  const field = page.getByRole('textbox', { name: 'Image URL' })
  await expect(field).toHaveValue(/^http/)
  return field.inputValue()
}

/** The tile or row of an image of the dashboard. */
export const tile = (page: Page, name: string | RegExp) =>
  page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.getByRole('link', { name }) })

/** The first image of the dashboard, by its key: a narrow tile has no room for the button. */
export async function analyze(page: Page): Promise<void> {
  await tile(page, /./).getByRole('link').first().focus()
  await page.keyboard.press('a')
}

/** Every address of an image, from its link: the id is the end of the file's name. */
export function addressesOf(link: string) {
  const { origin } = new URL(link)
  const id = /([\w-]{22})\.\w+$/.exec(link)?.[1] ?? ''
  return {
    original: link,
    thumbnail: `${origin}/api/thumbnail/${id}/400`,
    resize: `${origin}/api/resize/${id}/300`,
    box: `${origin}/api/resize/${id}/200/100`,
    jpeg: `${origin}/api/jpeg/${id}/300`,
    webp: `${origin}/api/webp/${id}/80?width=300`,
  }
}

/** What an address answers, decoded: its type, and the picture as it is displayed. */
export async function served(address: string) {
  const response = await fetch(address)
  const bytes = Buffer.from(await response.arrayBuffer())
  if (!response.ok) return { status: response.status, bytes }
  const { width, height, format } = await sharp(bytes)
    .metadata()
    .then((found) => ({ ...found, ...found.autoOrient }))
  await sharp(bytes).stats()
  return { status: response.status, type: response.headers.get('content-type'), width, height, format, bytes }
}
