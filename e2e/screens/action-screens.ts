// Screens whose request is sent by what somebody does there: forms, uploads, the viewer and the share sheet. states.spec.ts looks at each state.
import type { Locator, Page } from '@playwright/test'
import { jpeg } from '../e2e-images.ts'
import { logIn } from '../log-in.ts'
import { pick, tile, uploadFor } from '../upload.ts'
import { openWith } from './open-screen.ts'

export type ActionState = 'pending' | 'offline' | 'failed' | 'limited'

export interface ActionScreen {
  name: string
  open: (page: Page) => Promise<void>
  act: (page: Page) => Promise<void>
  /** Of the request that stays without an answer, or fails. */
  data: RegExp
  /** What the screen says in each state. Images that are refused fail every test: their screens leave that state out. */
  says: Partial<Record<ActionState, RegExp>>
  /** In which states 'Try again' helps. A form has its own button. */
  triesAgain?: readonly ActionState[]
  /** Texts lie over an image, and a toast over the page, by design. */
  isLayered?: boolean
}

/** As the server says it. */
const limited = /Too many requests\. Try again in 20 seconds/
const noResponse = /No response from the server: check your connection and try again\./

const press = (name: string | RegExp) => (page: Page) =>
  placeOf(page).then((place) => place.getByRole('button', { name, exact: true }).click())

/** The open dialog, or else the page. */
export async function placeOf(page: Page): Promise<Locator> {
  const dialog = page.locator('dialog[open]')
  return (await dialog.count()) > 0 ? dialog.last() : page.getByRole('main')
}

const opens = (path: string, fields: Record<string, string>) => async (page: Page) => {
  await page.goto(path)
  await fill(page, fields)
}

async function fill(page: Page, fields: Record<string, string>): Promise<void> {
  for (const [label, text] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(text)
}

const email = 'dana@example.com'
const password = 'a long enough secret'

const forms: ActionScreen[] = [
  {
    name: 'form-login',
    open: opens('/login', { Email: email, Password: password }),
    act: press('Log in'),
    data: /\/api\/login$/,
    says: { pending: /Logging in\.\.\./, offline: noResponse, failed: /Login failed/, limited },
  },
  {
    name: 'form-register',
    open: opens('/register', { Email: email, Password: password }),
    act: press('Register'),
    data: /\/api\/register$/,
    says: { pending: /Registering\.\.\./, offline: noResponse, failed: /Registration failed/, limited },
  },
  {
    name: 'form-forgotten',
    open: async (page) => {
      await openWith(page, '/reset-password', { mail: true })
      await fill(page, { Email: email })
    },
    act: press('Send link'),
    data: /\/api\/password-reset$/,
    says: { pending: /Sending\.\.\./, offline: noResponse, failed: /The mail could not be sent/, limited },
  },
  {
    name: 'form-new-password',
    open: opens('/reset-password#a-token', { 'New password': password }),
    act: press('Save password'),
    data: /\/api\/password-reset$/,
    says: { pending: /Saving\.\.\./, offline: noResponse, failed: /The password could not be saved/, limited },
  },
  {
    name: 'form-contact',
    open: opens('/contact', { Name: 'Dana', Email: email, Subject: 'A question', Message: 'Where is the harbour?' }),
    act: press('Send message'),
    data: /\/api\/v1\.0\/email\/send$/,
    says: {
      pending: /Sending\.\.\./,
      offline: /Failed to send message\. Please try again\./,
      failed: /Failed to send message\. Please try again\./,
      limited,
    },
  },
  {
    name: 'form-report',
    open: async (page) => {
      await opens('/report', { 'Image address': 'harbour.jpg' })(page)
      await page.getByLabel('Reason').selectOption('Spam')
    },
    act: press('Send report'),
    data: /\/api\/reports$/,
    says: {
      pending: /Sending\.\.\./,
      offline: /No response from the server/,
      failed: /Failed to send report\. Please try again\./,
      limited,
    },
  },
  {
    name: 'form-pin',
    open: async (page) => {
      await logIn(page)
      await page.goto('/api-docs')
      await page.getByRole('button', { name: 'Database View' }).click()
      await page.getByLabel('PIN digit 1 of 4').pressSequentially('1')
      for (const at of [2, 3, 4]) await page.getByLabel(`PIN digit ${at} of 4`).fill(`${at}`)
    },
    act: press('Verify'),
    data: /\/db\/unlock$/,
    says: {
      pending: /Verifying\.\.\./,
      offline: /Error connecting to the server/,
      failed: /Error connecting to the server/,
      limited,
    },
  },
  {
    name: 'form-try-it',
    open: async (page) => {
      await logIn(page)
      await page.goto('/api-docs?e=get-api-limits&show=try#endpoints')
    },
    // Offline, its button is disabled.
    act: async (page) => {
      if (await page.evaluate(() => navigator.onLine)) await press('Send request')(page)
    },
    data: /\/api\/limits$/,
    says: {
      pending: /Sending\.\.\./,
      offline: /You are offline\. The request can be sent when the connection is back\./,
      failed: /500/,
      limited: /429/,
    },
  },
  {
    name: 'form-api-key',
    open: async (page) => {
      await logIn(page)
      await page.goto('/api-keys')
      await fill(page, { Name: 'ShareX' })
    },
    act: press('Create'),
    data: /\/api\/api-keys$/,
    says: {
      pending: /Creating\.\.\./,
      offline: /Failed to create API key/,
      failed: /Failed to create API key/,
      limited,
    },
  },
]

/** What is sent from a dialog, or from a field of the page: it is said there, where a toast would cover it. */
const dialogs: ActionScreen[] = [
  {
    name: 'delete-key',
    open: async (page) => {
      const headers = { authorization: `Bearer ${await logIn(page)}` }
      await page.request.post('/api/api-keys', { headers, data: { name: 'CI bot' } })
      await page.goto('/api-keys')
      await page.getByRole('button', { name: 'Delete CI bot' }).click()
    },
    act: press('Delete'),
    data: /\/api\/api-keys\/[\w-]+$/,
    says: {
      pending: /Deleting\.\.\./,
      offline: /Failed to delete API key/,
      failed: /Failed to delete API key/,
      // It is sent again, and Cancel stays.
      limited: /Too many requests\. Trying again\.\.\./,
    },
  },
  {
    name: 'link-sheet',
    open: async (page) => {
      await openGallery(page)
      await page.keyboard.press('x')
      await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Share' }).click()
    },
    act: press('Copy link'),
    data: /\/api\/links$/,
    says: { offline: noResponse, failed: /The link could not be made/, limited },
  },
  {
    name: 'album-title',
    open: async (page) => {
      const headers = { authorization: `Bearer ${await logIn(page)}` }
      const made = await page.request.post('/api/albums', { headers, data: { title: 'Italy' } })
      await page.goto(`/albums/${((await made.json()) as { id: string }).id}`)
      await page.getByRole('button', { name: 'Rename Italy' }).click()
      await fill(page, { 'Title of the album': 'Italy 2026' })
    },
    act: (page) => page.keyboard.press('Enter'),
    data: /\/api\/albums\/[\w-]+$/,
    says: { offline: noResponse, failed: /The album could not be saved/, limited },
  },
]

async function choose(page: Page): Promise<void> {
  await pick(page, { name: 'harbour.jpg', mimeType: 'image/jpeg', buffer: await jpeg() })
}

const notSent = /The upload did not finish\. Your image is still here\./
const uploads: ActionScreen[] = [
  {
    name: 'upload-guest',
    open: async (page: Page) => {
      await forgetUploads(page)
      await page.goto('/')
    },
  },
  {
    name: 'upload-user',
    open: async (page: Page) => {
      await logIn(page)
      await page.goto('/dashboard')
    },
  },
].map((screen) => ({
  ...screen,
  act: choose,
  data: /\/api\/upload$/,
  says: {
    pending: /Uploading image\.\.\./,
    offline: /Waiting for the connection/,
    failed: notSent,
    limited: /Waiting for the server/,
  },
  triesAgain: ['failed', 'limited'],
  isLayered: true,
}))

/** A file outlives its page: without this, that of the state before would go on. */
async function forgetUploads(page: Page): Promise<void> {
  await page.goto('/robots.txt')
  await page.evaluate(async () => {
    for (const { name = '' } of await indexedDB.databases()) indexedDB.deleteDatabase(name)
  })
}

const imageOfViewer = /\/api\/webp\/[\w-]{22}\/80\?width=|\/uploads\//

async function openGallery(page: Page): Promise<void> {
  await uploadFor(page, await logIn(page), 'harbour.jpg', '365d')
  await page.goto('/dashboard')
  await tile(page, /^harbour/)
    .getByRole('link')
    .first()
    .focus()
}

export const actionScreens: ActionScreen[] = [
  ...forms,
  ...dialogs,
  ...uploads,
  {
    name: 'viewer',
    open: openGallery,
    act: (page) => page.keyboard.press('Enter'),
    data: imageOfViewer,
    isLayered: true,
    says: {
      pending: /^/,
      offline: /This image could not be loaded\./,
      failed: /This image could not be loaded\./,
    },
    triesAgain: ['failed'],
  },
  {
    name: 'share-preview',
    open: openGallery,
    act: (page) => page.keyboard.press('s'),
    data: /\/i\/[\w-]{22}$/,
    says: {
      pending: /Loading the preview\.\.\./,
      offline: /The preview could not be loaded\./,
      failed: /The preview could not be loaded\./,
    },
  },
]
