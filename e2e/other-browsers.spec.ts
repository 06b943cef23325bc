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

/** Of a new user: an album in order, one with a tag, and a link to it with a password. */
async function shareAlbum(title: string): Promise<{ token: string; id: string; link: string }> {
  const token = await tokenOf(site, 'register', newAccount())
  const images: string[] = []
  for (const name of ['harbour.jpg', 'lake.jpg']) {
    const uploaded = await uploadTo(site, { token, name, fields: { tags: 'travel/italy', visibility: 'private' } })
    images.push(((await uploaded.json()) as { id: string }).id)
  }
  const album = await callApi(site, '/api/albums', { token, body: { title, images } })
  const { id } = (await album.json()) as { id: string }
  const shared = await callApi(site, '/api/links', {
    token,
    body: { album_id: id, shows_private: true, password: pin + pin },
  })
  expect(shared.status).toBe(201)
  const { slug } = (await shared.json()) as { slug: string }
  return { token, id, link: `/l/${slug}` }
}

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

    test(`in ${name} an album opens from the list of albums, and its link and its tag from theirs`, async () => {
      const { token, link } = await shareAlbum('Italy')
      await page.run((value) => localStorage.setItem('token', value), token)
      await page.open('/albums')
      await page.click('link', 'Italy, 2 images')
      await page.sees('heading', /^Italy/)
      await page.sees('link', /^harbour\.jpg, /)
      await expect
        .poll(() => page.loadedWidths().then((widths) => widths.filter((width) => width > 100)))
        .toHaveLength(2)
      await page.open('/links')
      await page.reads(link)
      await page.open('/tags')
      await page.click('link', 'Show the images with travel/italy')
      await page.sees('link', /^lake\.jpg, /)
      expect(await page.path()).toMatch(/^\/dashboard\?q=tag/)
    })

    test(`in ${name} a visitor opens a link with its password, and leafs through the images`, async () => {
      const { link } = await shareAlbum('Italy')
      await page.open(link)
      await page.fill('Password', pin + pin)
      await page.press(keys.enter)
      await page.sees('heading', /^Italy/)
      await page.click('link', /harbour/)
      await page.sees('dialog', 'Image viewer')
      await page.reads('1 / 2')
      await page.press(keys.right)
      await page.reads('2 / 2')
      await expect.poll(async () => Math.max(...(await page.loadedWidths()))).toBeGreaterThan(600)
      await page.back()
      await page.seesNo('dialog', 'Image viewer')
    })

    test(`in ${name} an invitation is accepted, and the owner sees the member`, async () => {
      const { token, id } = await shareAlbum('Italy')
      const member = newAccount()
      const body = { email: member.email, role: 'add' }
      const invited = await callApi(site, `/api/albums/${id}/members`, { token, body })
      const { link } = (await invited.json()) as { link: string }
      const { pathname, hash } = new URL(link)
      await openAsUser('/robots.txt')
      await page.open(pathname + hash)
      await page.sees('heading', 'You are invited to an album')
      await page.click('button', 'Accept')
      await page.sees('heading', /^Italy/)
      await page.reads('You may add images')
      await page.run((value) => localStorage.setItem('token', value), token)
      await page.open(`/albums/${id}`)
      await page.click('button', /^Members/)
      await page.sees('dialog', 'Members of Italy')
      await page.sees('button', /^Remove smoke-/)
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
