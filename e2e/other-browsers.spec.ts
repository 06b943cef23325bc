// Smoke journeys in Firefox and in WebKitGTK, the engine of Safari, each driven by its own WebDriver: the main flows once.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { callApi, tokenOf, uploadTo } from './api-calls.ts'
import { phonePhotograph, png } from './e2e-images.ts'
import { expect, test } from './test.ts'
import { served } from './upload.ts'
import { type DrivenPage, drivenPage, keys } from './web-driver/driven-page.ts'
import { startFirefox } from './web-driver/firefox.ts'
import type { Session } from './web-driver/session.ts'
import { startWebKit } from './web-driver/webkit.ts'

const browsers = { Firefox: startFirefox, WebKitGTK: startWebKit }
const site = process.env.E2E_URL ?? ''
/** WebKit adds the name of the field's own button to clear it. */
const search = /^Search names, titles and tags/
const newAccount = () => ({ email: `smoke-${crypto.randomUUID()}@example.com`, password: 'a smoke journey' })
const pin = '1234'

/** Adds a document to a new collection, which all users see. */
async function addBoat(collection: string, token: string): Promise<void> {
  const unlocked = await callApi(site, '/db/unlock', { token, body: { pin } })
  const { token: unlock } = (await unlocked.json()) as { token: string }
  const headers = { 'x-db-token': unlock }
  const added = await callApi(site, `/db/collections/${collection}/documents`, {
    token,
    headers,
    body: [{ name: 'Albatross' }],
  })
  expect(added.status).toBe(201)
}

for (const [name, start] of Object.entries(browsers)) {
  test.describe(name, () => {
    // One browser after the other runs the journeys of its name.
    test.describe.configure({ mode: 'default' })
    let session: Session | undefined
    let page: DrivenPage
    let folder = ''

    /** Writes an image where the file dialog finds it. */
    async function file(fileName: string, bytes: Buffer): Promise<string> {
      const path = join(folder, fileName)
      await writeFile(path, bytes)
      return path
    }

    /** Opens a page as a new user, with these images. */
    async function openAsUser(path: string, ...images: string[]): Promise<string> {
      const token = await tokenOf(site, 'register', newAccount())
      for (const image of images) expect((await uploadTo(site, { token, name: image })).status).toBe(201)
      await page.run((value) => localStorage.setItem('token', value), token)
      await page.open(path)
      return token
    }

    test.beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'image-host-smoke-'))
      session = await start()
      page = drivenPage(session, site)
      await session.send('resize', { width: 1280, height: 900 })
    })

    test.afterAll(async () => {
      await session?.end()
      await rm(folder, { recursive: true, force: true })
    })

    test.beforeEach(async () => {
      await page.open('/robots.txt')
      await page.run(async () => {
        localStorage.clear()
        sessionStorage.clear()
        for (const { name: database } of await indexedDB.databases()) indexedDB.deleteDatabase(database ?? '')
      })
    })

    test.afterEach(
      // oxlint-disable-next-line no-empty-pattern -- Playwright reads the used fixtures from the pattern
      async ({}, info) => {
        if (info.status !== info.expectedStatus && session !== undefined)
          await writeFile(info.outputPath('failed.png'), await page.screenshot())
      },
    )

    test(`in ${name} a guest uploads a photograph, and a reload keeps it`, async () => {
      await page.open('/')
      await page.sees('button', 'Choose image')
      await page.choose(await file('Harbour at dusk.jpg', await phonePhotograph()))
      await page.reads('Image uploaded successfully!')
      const link = await page.valueOf('Image URL')
      expect(await served(link)).toMatchObject({ status: 200, type: 'image/jpeg', width: 1200, height: 1600 })
      await page.reload()
      await page.sees('heading', 'Recent uploads')
      await page.reads('Harbour at dusk.jpg')
      await expect.poll(() => page.loadedWidths()).toContain(300)
    })

    test(`in ${name} a visitor registers, logs in, and uploads an image that becomes a WebP`, async () => {
      const { email, password } = newAccount()
      await page.open('/register')
      await page.fill('Email', email)
      await page.fill('Password', password)
      await page.press(keys.enter)
      await page.reads('Registration successful! You can now log in.')
      await page.sees('heading', 'Login')
      await page.fill('Password', password)
      await page.press(keys.enter)
      await page.sees('heading', `Hello, ${email}`)
      await page.choose(await file('harbour.png', await png(900, 600)))
      await page.reads('Image uploaded successfully!')
      await page.sees('link', /^harbour\.webp/)
      const link = await page.run(async () => {
        const headers = { authorization: `Bearer ${localStorage.getItem('token')}` }
        const [image] = (await (await fetch('/api/images', { headers })).json()) as { url: string }[]
        return image?.url ?? ''
      })
      expect(await served(link)).toMatchObject({ status: 200, type: 'image/webp', width: 900, height: 600 })
    })

    // The clipboard of a headless Firefox takes no images.
    if (name === 'WebKitGTK')
      test(`in ${name} an image is pasted`, async () => {
        await openAsUser('/dashboard')
        await page.sees('button', 'Choose image')
        await page.copyImage(await png(900, 600))
        await page.press(keys.control, 'v')
        await page.sees('link', /^pasted-image-\d+\.webp/)
      })

    // WebKitGTK has given pages no dropped files since 2.50.3: https://github.com/WebKit/WebKit/pull/73114
    if (name === 'Firefox')
      test(`in ${name} an image is dropped`, async () => {
        await openAsUser('/dashboard')
        await page.sees('button', 'Choose image')
        await page.drop('harbour.png', await png(900, 600))
        await page.sees('link', /^harbour\.webp/)
      })

    test(`in ${name} the gallery finds an image, and the lightbox shows it until Back`, async () => {
      await openAsUser('/dashboard', 'harbour.jpg', 'lake.jpg')
      await page.sees('link', /^lake\.jpg/)
      await page.fill(search, 'harbour')
      await page.seesNo('link', /^lake\.jpg/)
      expect(await page.path()).toBe('/dashboard?q=harbour')
      await page.click('link', /^harbour\.jpg/)
      await page.sees('dialog', 'Image viewer')
      await expect.poll(() => page.loadedWidths()).toContain(900)
      expect(await page.path()).toMatch(/[?&]image=[\w-]{22}/)
      await page.back()
      await page.seesNo('dialog', 'Image viewer')
      await page.press(keys.delete)
      await page.reads('Image deleted successfully!')
      await page.press(keys.control, 'z')
      await page.sees('link', /^harbour\.jpg/)
    })

    test(`in ${name} embed code is copied and can be pasted`, async () => {
      await openAsUser('/dashboard', 'harbour.jpg')
      await page.sees('link', /^harbour\.jpg/)
      await page.focus('link', /^harbour\.jpg/)
      await page.press('e')
      await page.sees('dialog', 'Embed code')
      await page.click('tab', 'Markdown')
      await page.click('button', 'Copy Markdown code')
      await page.reads('Markdown code copied!')
      await page.press(keys.escape)
      await page.seesNo('dialog', 'Embed code')
      await page.focus('field', search)
      await page.press(keys.control, 'v')
      await expect.poll(() => page.valueOf(search)).toMatch(/^!\[harbour\]\(http[^)]+\)$/)
    })

    test(`in ${name} the API page sends a request`, async () => {
      await openAsUser('/api-docs')
      await page.sees('heading', /^API Documentation/)
      await page.open('/api-docs?e=get-api-me&show=try#endpoints')
      await page.click('button', 'Send request')
      await page.reads('200 OK')
      await page.reads('"role": "user"')
    })

    test(`in ${name} the database view opens with the PIN and shows a document`, async () => {
      const collection = `boats-${crypto.randomUUID()}`
      await addBoat(collection, await openAsUser('/api-docs'))
      await page.click('button', 'Database View')
      await page.sees('dialog', 'Database View')
      for (const digit of pin) await page.press(digit)
      await page.press(keys.enter)
      await page.reads('No Collection Selected')
      await page.click('link', new RegExp(`^${collection}`))
      await page.reads('1 document')
      await page.reads('Albatross')
    })
  })
}
