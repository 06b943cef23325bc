// Shared steps: ways to give the page a file, and checks of the served image.
import type { FileChooser, Page } from '@playwright/test'
import sharp from 'sharp'
import { jpeg } from './e2e-images.ts'
import { expect } from './test.ts'

export interface ImageFile {
  name: string
  mimeType: string
  buffer: Buffer
}

export const zone = (page: Page) => page.getByRole('group', { name: 'Upload an image' })
export const toast = (page: Page, text: string | RegExp) =>
  page.getByRole('region', { name: 'Messages' }).getByText(text, { exact: true })

/** What the dashboard says about a deletion, next to the offer to undo it. */
export const deletion = (page: Page, text = 'Image deleted successfully!') =>
  page.getByRole('region', { name: 'Undo' }).getByText(text)

/** Uses the button and the file dialog, as most people do. */
export async function pick(page: Page, ...images: ImageFile[]): Promise<void> {
  const dialog = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Choose image' }).click()
  await (await dialog).setFiles(images)
}

/**
 * Opens the file dialog by a key. The key press and the command to intercept the dialog take two
 * routes to the page; on a busy machine the key can arrive first, and then the real dialog opens
 * unnoticed by the test. The awaited evaluate() proves that the command has arrived. (A click first
 * asks the page for the position of the button, with the same effect.)
 */
export async function dialogByKey(page: Page, key: string): Promise<FileChooser> {
  const dialog = page.waitForEvent('filechooser')
  await page.evaluate(() => {})
  await page.keyboard.press(key)
  return dialog
}

/** Waits until the shortcuts are active and their script has loaded: some need the user activation of the key press. */
export async function keysAreHeard(page: Page): Promise<void> {
  const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  // Until the page has its listener, a key goes nowhere.
  await expect(async () => {
    await page.keyboard.press('?')
    await expect(list).toBeVisible({ timeout: 2000 })
  }).toPass()
  await page.keyboard.press('Escape')
  await expect(list).toHaveCount(0)
}

/** Drops files as a file manager does. */
export async function drop(page: Page, ...images: ImageFile[]): Promise<void> {
  const files = await transferOf(page, images)
  for (const type of ['dragenter', 'dragover', 'drop']) await zone(page).dispatchEvent(type, { dataTransfer: files })
}

export async function transferOf(page: Page, images: ImageFile[]) {
  const given = images.map(({ name, mimeType, buffer }) => ({ name, mimeType, base64: buffer.toString('base64') }))
  return page.evaluateHandle((all) => {
    const transfer = new DataTransfer()
    for (const { name, mimeType, base64 } of all) {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
      transfer.items.add(new File([bytes], name, { type: mimeType }))
    }
    return transfer
  }, given)
}

/** Pastes through the real clipboard: copies a PNG, then presses the shortcut. */
export async function paste(page: Page, png: Buffer): Promise<void> {
  await page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': new Blob([bytes], { type: 'image/png' }) })])
  }, png.toString('base64'))
  await page.keyboard.press('ControlOrMeta+V')
}

/** Uploads through the API, the only way to set the expiry. @returns the id of the image */
export async function uploadFor(page: Page, token: string, name: string, lifetime: string): Promise<string> {
  const image = { name, mimeType: 'image/jpeg', buffer: await jpeg() }
  // The field precedes the file, which the server reads last.
  const multipart = { expires_in: lifetime, image }
  const answer = await page.request.post('/api/upload', { headers: { authorization: `Bearer ${token}` }, multipart })
  expect(answer.status()).toBe(201)
  return ((await answer.json()) as { id: string }).id
}

/** Returns the URL that the page shows after an upload. */
export async function shownLink(page: Page): Promise<string> {
  const field = page.getByRole('textbox', { name: 'Image URL' })
  await expect(field).toHaveValue(/^http/)
  return field.inputValue()
}

/** The tile or row of an image on the dashboard. */
export const tile = (page: Page, name: string | RegExp) =>
  page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.getByRole('link', { name }) })

/** Opens the analysis of the first image by its key: a narrow tile does not show the button. */
export async function analyze(page: Page): Promise<void> {
  await tile(page, /./).getByRole('link').first().focus()
  await page.keyboard.press('a')
}

/** Returns every URL of an image, built from its link: the id is the end of the file name. */
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

/** Fetches and decodes an image: returns its type and its displayed size. */
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
