// The specified screen texts (web/texts/strings.test.ts) that no other journey passes.
import type { Page, Route } from '@playwright/test'
import { limits } from '../contract/plain/limits.ts'
import { jpegOfSize, jpeg, png } from './e2e-images.ts'
import { logIn } from './log-in.ts'
import { startServer } from './server.ts'
import { expect, test } from './test.ts'
import { paste, pick, toast, uploadFor, zone } from './upload.ts'

const main = (page: Page) => page.getByRole('main')
const alert = (page: Page) => main(page).getByRole('alert')
const harbour = async () => ({ name: 'harbour.jpg', mimeType: 'image/jpeg', buffer: await jpeg() })

/** Delays every matching request until the returned function is called. */
async function hold(page: Page, url: RegExp): Promise<() => void> {
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  await page.route(url, async (route) => {
    await released
    await route.continue()
  })
  return release
}

/** Lets matching requests fail with 500 and an empty body. */
const failing = (page: Page, url: RegExp, method?: string) =>
  page.route(url, (route) =>
    (method ?? route.request().method()) === route.request().method() ? fail(route) : route.continue(),
  )
const fail = (route: Route) => route.fulfill({ status: 500, body: '' })

async function asGuest(page: Page): Promise<void> {
  await page.goto('/')
}
async function asUser(page: Page): Promise<void> {
  await logIn(page)
  await page.goto('/dashboard')
}
const visitors = [
  { visitor: 'guest', open: asGuest },
  { visitor: 'user', open: asUser },
]

async function openWithImage(page: Page): Promise<void> {
  await uploadFor(page, await logIn(page), 'harbour.jpg', '30d')
  await page.goto('/dashboard')
  await expect(tile(page)).toBeVisible()
}
const tile = (page: Page) => main(page).getByRole('link', { name: /^harbour\.jpg, / })

async function openGuestImage(page: Page): Promise<void> {
  await page.goto('/')
  await pick(page, await harbour())
  await expect(card(page)).toBeVisible()
}
const card = (page: Page) => main(page).getByRole('listitem').filter({ hasText: 'harbour.jpg' })

async function openKeys(page: Page): Promise<void> {
  const headers = { authorization: `Bearer ${await logIn(page)}` }
  await page.request.post('/api/api-keys', { headers, data: { name: 'CI bot' } })
  await page.goto('/api-keys')
  await expect(page.getByRole('rowheader', { name: 'CI bot' })).toBeVisible()
}
async function createKey(page: Page): Promise<void> {
  await page.getByLabel('Name').fill('another')
  await page.getByRole('button', { name: 'Create' }).click()
}
async function deleteKey(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Delete CI bot' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
}

async function fillCredentials(page: Page, path: string, email: string): Promise<void> {
  await page.goto(path)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill('correct horse')
}

test.describe('permanent texts', () => {
  test('the landing page shows the headline and what guests may upload', async ({ page }) => {
    await page.goto('/')
    const headline = page.getByRole('heading', { level: 1 })
    for (const line of ['Host an image.', 'Share it anywhere.'])
      await expect(headline.getByText(line, { exact: true })).toBeVisible()
    await expect(zone(page).getByText('PNG, JPG/JPEG or WebP, up to 5 MB', { exact: true })).toBeVisible()
  })

  test('the dashboard of a new user shows what may be uploaded and the empty list, and no toolbar', async ({
    page,
  }) => {
    await asUser(page)
    await expect(zone(page).getByText('PNG, JPG/JPEG, WebP, GIF or SVG, up to 10 MB', { exact: true })).toBeVisible()
    await expect(
      page.getByText('No images yet. Drop, paste or choose your first image.', { exact: true }),
    ).toBeVisible()

    await expect(page.getByRole('search', { name: 'Search and filters' })).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'User Instructions' })).toHaveCount(0)
  })

  test('the guide is shown or hidden by its button, also after a reload', async ({ page }) => {
    await openWithImage(page)
    const button = page.getByRole('button', { name: 'User Instructions' })
    const guide = page.getByRole('region', { name: 'User Instructions' })
    await expect(button).toHaveAttribute('aria-expanded', 'false')
    await expect(guide).toBeHidden()
    await button.click()
    await expect(guide).toBeVisible()
    await page.reload()
    await expect(button).toHaveAttribute('aria-expanded', 'true')
    await expect(guide).toBeVisible()
    await button.click()
    await expect(guide).toBeHidden()
  })

  test('Grid and List switch the view', async ({ page }) => {
    await openWithImage(page)
    const [grid, list] = ['Grid', 'List'].map((name) => page.getByRole('button', { name, exact: true }))
    await expect(grid!).toHaveAttribute('aria-pressed', 'true')
    await list!.click()
    await expect(list!).toHaveAttribute('aria-pressed', 'true')
    await expect(grid!).toHaveAttribute('aria-pressed', 'false')
    await expect(main(page).getByText('900 × 600', { exact: true })).toBeVisible()
  })

  test('the API keys table has the columns Name, Created and Last used', async ({ page }) => {
    await openKeys(page)
    for (const name of ['Name', 'Created', 'Last used'])
      await expect(page.getByRole('columnheader', { name, exact: true })).toBeVisible()
  })
})

test.describe('an unknown URL', () => {
  test.use({ expectedConsole: [/status of 404/] })

  test('an unknown URL shows Page Not Found and a link home', async ({ page }) => {
    await page.goto('/nowhere')
    await expect(page.getByRole('heading', { level: 1, name: 'Page Not Found', exact: true })).toBeVisible()
    await expect(page.getByText('404', { exact: true })).toBeVisible()
    await expect(page.getByText("Sorry, we couldn't find the page you're looking for.", { exact: true })).toBeVisible()
    await page.getByRole('link', { name: 'Return Home', exact: true }).click()
    await expect(page).toHaveURL('/')
  })
})

test('the footer links the developer and the email when they are configured', async ({ page }) => {
  const server = await startServer({
    env: { DEVELOPER_URL: 'https://example.com/me', SUPPORT_EMAIL: 'help@example.com', SITE_NAME: 'Pictures' },
  })
  try {
    await page.clock.setFixedTime('2031-06-15T12:00:00Z')
    await page.goto(server.url)
    const footer = page.getByRole('contentinfo')
    const text = 'Free, simple, fast and secure image hosting with tools for content.'
    await expect(footer.getByText(text, { exact: true })).toBeVisible()
    for (const [title, links] of [
      ['Pages', { Home: '/', Tools: '/tools', 'About Us': '/about', 'Contact Us': '/contact' }],
      ['Legal', { 'Privacy Policy': '/privacy', 'Terms & Conditions': '/terms' }],
    ] as const) {
      await expect(footer.getByRole('heading', { name: title, exact: true })).toBeVisible()
      const column = footer.getByRole('navigation', { name: title })
      await expect(column.getByRole('link')).toHaveText(Object.keys(links))
      for (const [name, path] of Object.entries(links))
        await expect(column.getByRole('link', { name, exact: true })).toHaveAttribute('href', path)
    }
    await expect(footer.getByText('© 2031 Pictures', { exact: true })).toBeVisible()
    await expect(footer.getByRole('link', { name: 'Developer' })).toHaveAttribute('href', 'https://example.com/me')
    const mail = footer.getByRole('link', { name: 'help@example.com', exact: true })
    await expect(mail).toHaveAttribute('href', 'mailto:help@example.com')
  } finally {
    await server.stop()
  }
})

test.describe('labels of running requests', () => {
  test('the login button shows Logging in...', async ({ page }) => {
    const email = `strings-${crypto.randomUUID()}@example.com`
    await page.request.post('/api/register', { data: { email, password: 'correct horse' } })
    await fillCredentials(page, '/login', email)
    const release = await hold(page, /\/api\/login$/)
    await main(page).getByRole('button', { name: 'Log in', exact: true }).click()
    await expect(main(page).getByRole('button', { name: 'Logging in...', exact: true })).toBeDisabled()
    release()
    await expect(page).toHaveURL('/dashboard')
  })

  test('the create button shows Creating...', async ({ page }) => {
    await openKeys(page)
    const release = await hold(page, /\/api\/api-keys$/)
    await createKey(page)
    await expect(page.getByRole('button', { name: 'Creating...', exact: true })).toBeDisabled()
    release()
    await expect(page.getByRole('alertdialog', { name: 'Copy your API key' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Create', exact: true, includeHidden: true })).toBeEnabled()
  })
})

test.describe('expiry labels', () => {
  test.use({ timezoneId: 'UTC' })

  const now = '2026-03-10T12:00:00Z'
  const labels = {
    '2026-03-10T11:59:00Z': 'Expired',
    '2026-03-10T23:59:00Z': 'Expires today',
    '2026-03-11T00:01:00Z': 'Expires tomorrow',
    '2026-03-12T00:01:00Z': 'Expires in 2 days',
    '2026-03-17T23:59:00Z': 'Expires in 7 days',
    '2026-03-18T00:01:00Z': 'Expires in 1 weeks',
    '2026-03-23T12:00:00Z': 'Expires in 1 weeks',
    '2026-03-24T12:00:00Z': 'Expires in 2 weeks',
    '2026-04-09T23:59:00Z': 'Expires in 4 weeks',
    '2026-04-10T00:01:00Z': 'Expires on Apr 10, 2026',
  }
  const images = Object.entries(labels).map(([expiresAt, label], at) => ({ name: `n${at}.jpg`, expiresAt, label }))

  test.beforeEach(({ page }) => page.clock.setFixedTime(now))

  test('the cards of a guest show every expiry label', async ({ page }) => {
    await page.goto('/robots.txt')
    await page.evaluate(
      (stored) => localStorage.setItem('guest_images', JSON.stringify(stored)),
      images.map(({ name, expiresAt }) => ({
        id: name,
        file_name: name,
        original_name: name,
        url: '/favicon.svg',
        thumbnailUrl: '/favicon.svg',
        created_at: '2026-02-20T12:00:00Z',
        expires_at: expiresAt,
      })),
    )
    await page.goto('/')
    for (const { name, label } of images) {
      const item = main(page).getByRole('listitem').filter({ hasText: name })
      await expect(item.getByText(label, { exact: true }), name).toBeVisible()
    }
  })

  test('the grid and the list of a user show the expiry labels', async ({ page }) => {
    const token = await logIn(page)
    for (const { name } of images) await uploadFor(page, token, name, '30d')
    await page.route(/\/api\/images\?/, async (route) => {
      const response = await route.fetch()
      const found = (await response.json()) as { original_name: string }[]
      const expiry = (name: string) => images.find((image) => image.name === name)?.expiresAt
      const json = found.map((image) => ({ ...image, expires_at: expiry(image.original_name) }))
      await route.fulfill({ response, json })
    })
    await page.goto('/dashboard')
    for (const { name, label } of images)
      await expect(main(page).getByRole('link', { name: `${name}, ${label}`, exact: true })).toBeVisible()
    // On the image itself only the soon ones.
    for (const label of ['Expired', 'Expires today', 'Expires tomorrow', 'Expires in 2 days', 'Expires in 7 days'])
      await expect(main(page).getByText(label, { exact: true })).toBeVisible()
    await expect(main(page).getByText('Expires in 1 weeks', { exact: true })).toHaveCount(0)

    await page.getByRole('button', { name: 'List', exact: true }).click()
    for (const { name, label } of images) {
      const row = main(page).getByRole('listitem').filter({ hasText: name })
      await expect(row.getByText(label, { exact: true }), name).toBeVisible()
    }
  })
})

test.describe('files rejected in the browser', () => {
  for (const { visitor, open, types, maxBytes } of [
    { ...visitors[0]!, types: 'PNG, JPG, JPEG or WebP', maxBytes: 5_242_880 },
    { ...visitors[1]!, types: 'PNG, JPG, JPEG, WebP, GIF or SVG', maxBytes: 10_485_760 },
  ]) {
    test(`the browser of a ${visitor} rejects files by size and type without sending them`, async ({ page }) => {
      await page.route('**/api/upload', () => Promise.reject(new Error('nothing may be sent')))
      await open(page)
      await pick(page, { name: 'empty.png', mimeType: 'image/png', buffer: Buffer.alloc(0) })
      await expect(toast(page, 'File is smaller than 1 byte')).toBeVisible()
      await pick(page, { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('words') })
      await expect(toast(page, `File type must be ${types}`)).toBeVisible()
      await pick(page, { name: 'large.jpg', mimeType: 'image/jpeg', buffer: await jpegOfSize(maxBytes + 1) })
      await expect(toast(page, `File is larger than ${maxBytes} bytes`)).toBeVisible()
    })
  }

  test('the limits in the rejection texts are those of the contract', () => {
    expect([limits.guest.maxBytes, limits.user.maxBytes]).toEqual([5_242_880, 10_485_760])
  })
})

test.describe('failures of the server without a text', () => {
  test.use({ expectedConsole: [/status of 500/] })

  test('of a login and of a registration are shown', async ({ page }) => {
    for (const { path, button, text } of [
      { path: '/login', button: 'Log in', text: 'Login failed' },
      { path: '/register', button: 'Register', text: 'Registration failed' },
    ]) {
      await failing(page, new RegExp(`/api${path}$`))
      await fillCredentials(page, path, 'somebody@example.com')
      await main(page).getByRole('button', { name: button, exact: true }).click()
      await expect(toast(page, text)).toBeVisible()
      await expect(alert(page)).toHaveText(text)
      await expect(page).toHaveURL(path)
    }
  })

  test('of lists are shown with a retry', async ({ page }) => {
    await logIn(page)
    for (const { path, url, text, afterwards } of [
      { path: '/dashboard', url: /\/api\/images\?/, text: 'Failed to fetch images', afterwards: /^No images yet\./ },
      {
        path: '/notifications',
        url: /\/api\/expiring-images$/,
        text: 'Failed to fetch expiring images',
        afterwards: 'No images expiring soon',
      },
      {
        path: '/api-keys',
        url: /\/api\/api-keys$/,
        text: 'Failed to fetch API keys',
        afterwards: "You don't have any API keys yet.",
      },
    ]) {
      await failing(page, url)
      await page.goto(path)
      await expect(alert(page).getByText(text, { exact: true })).toBeVisible()
      await page.unroute(url)
      await main(page).getByRole('button', { name: 'Try again', exact: true }).click()
      await expect(main(page).getByText(afterwards)).toBeVisible()
      await expect(alert(page)).toHaveCount(0)
    }
  })

  for (const { visitor, open } of visitors) {
    test(`of an upload and of a deletion are shown to a ${visitor}`, async ({ page }) => {
      await failing(page, /\/api\/upload$/)
      await open(page)
      await pick(page, await harbour())
      await expect(toast(page, 'Failed to upload image')).toBeVisible()
      await page.unroute(/\/api\/upload$/)
      await zone(page).getByRole('button', { name: 'Try again', exact: true }).click()

      await failing(page, /\/api\/images\//, 'DELETE')
      if (visitor === 'guest') await card(page).getByRole('button', { name: 'Delete' }).click()
      else {
        await tile(page).focus()
        await page.keyboard.press('Delete')
      }
      await expect(toast(page, 'Failed to delete image')).toBeVisible()
      await expect(visitor === 'guest' ? card(page) : tile(page)).toBeVisible()
    })
  }

  test('of creating and deleting an API key are shown', async ({ page }) => {
    await openKeys(page)
    await failing(page, /\/api\/api-keys/, 'POST')
    await createKey(page)
    await expect(alert(page)).toHaveText('Failed to create API key')
    await expect(page.getByLabel('Name')).toHaveValue('another')
    await page.unroute(/\/api\/api-keys/)

    await failing(page, /\/api\/api-keys/, 'DELETE')
    await deleteKey(page)
    await expect(page.getByRole('alertdialog').getByRole('alert')).toHaveText('Failed to delete API key')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByRole('rowheader', { name: 'CI bot' })).toBeVisible()
  })
})

test.describe('requests without a response', () => {
  test.use({ expectedConsole: [/ERR_FAILED/] })
  const text = 'No response from the server: check your connection and try again.'

  test('a login without a connection is reported in words', async ({ page }) => {
    await page.route('**/api/login', (route) => route.abort())
    await fillCredentials(page, '/login', 'somebody@example.com')
    await main(page).getByRole('button', { name: 'Log in', exact: true }).click()
    await expect(toast(page, text)).toBeVisible()
    await expect(alert(page)).toHaveText(text)
  })

  test('a login without a response in time is reported in words', async ({ page }) => {
    await page.clock.install()
    await page.route('**/api/login', () => {})
    await fillCredentials(page, '/login', 'somebody@example.com')
    const request = page.waitForRequest('**/api/login')
    await main(page).getByRole('button', { name: 'Log in', exact: true }).click()
    await request
    await page.clock.runFor(10_500)
    await expect(alert(page)).toHaveText('The server did not respond within 10 seconds.')
  })
})

test.describe('failures of browser APIs', () => {
  // An exception in the paste handler is a bug of the page and is shown as one.
  test.use({ permissions: ['clipboard-read', 'clipboard-write'], expectedConsole: [/refused by the test/] })

  for (const { visitor, open } of visitors) {
    test(`while sending and pasting are shown to a ${visitor}`, async ({ page }) => {
      await open(page)
      await page.evaluate(() => {
        XMLHttpRequest.prototype.send = () => {
          throw new Error('refused by the test')
        }
      })
      await pick(page, await harbour())
      await expect(toast(page, 'Failed to process or upload image')).toBeVisible()
      await expect(zone(page).getByRole('button', { name: 'Try again', exact: true })).toBeVisible()

      await page.evaluate(() => {
        DataTransferItem.prototype.getAsFile = () => {
          throw new Error('refused by the test')
        }
      })
      await paste(page, await png())
      await expect(toast(page, 'Failed to process pasted image')).toBeVisible()

      await page.evaluate(() => {
        DataTransferItem.prototype.getAsFile = () => null
      })
      await paste(page, await png())
      await expect(toast(page, 'Failed to process image data')).toBeVisible()
    })
  }

  test('a file of a user that cannot be read is reported', async ({ page }) => {
    await page.addInitScript(() => {
      File.prototype.arrayBuffer = () => Promise.reject(new DOMException('gone', 'NotFoundError'))
    })
    await asUser(page)
    await pick(page, await harbour())
    await expect(toast(page, 'Failed to process image data')).toBeVisible()
  })

  test.describe('a clipboard that rejects', () => {
    test.beforeEach(({ page }) =>
      page.addInitScript(() => {
        navigator.clipboard.writeText = () => Promise.reject(new DOMException('no', 'NotAllowedError'))
        // oxlint-disable-next-line typescript/no-deprecated -- the fallback of the page
        document.execCommand = () => false
      }),
    )

    for (const { place, copy } of [
      {
        place: "a guest's image and its embed code",
        async copy(page: Page) {
          await openGuestImage(page)
          await card(page).getByRole('button', { name: 'Copy URL' }).click()
          await expect(toast(page, 'Failed to copy to clipboard')).toHaveCount(1)
          await card(page).getByRole('button', { name: 'Embed code' }).click()
          await page.getByRole('dialog', { name: 'Embed code' }).getByRole('button', { name: /^Copy/ }).click()
        },
      },
      {
        place: "a user's image",
        async copy(page: Page) {
          await openWithImage(page)
          await tile(page).focus()
          await page.keyboard.press('c')
        },
      },
      {
        place: 'a new API key',
        async copy(page: Page) {
          await openKeys(page)
          await createKey(page)
          await page.getByRole('alertdialog').getByRole('button', { name: 'Copy', exact: true }).click()
        },
      },
    ]) {
      test(`a rejected copy of ${place} is reported`, async ({ page }) => {
        await copy(page)
        await expect(toast(page, 'Failed to copy to clipboard').last()).toBeVisible()
        await expect(page.getByText(/copied/i)).toHaveCount(0)
      })
    }
  })
})

test.describe('a failed analysis', () => {
  const dialog = (page: Page) => page.getByRole('dialog', { name: 'Image analysis' })
  async function analyze(page: Page): Promise<void> {
    await tile(page).focus()
    await page.keyboard.press('a')
  }

  test('an analysis that fails without a reason is reported', async ({ page }) => {
    await page.route('**/api/analyze/*', (route) => route.fulfill({ body: 'not JSON' }))
    await openWithImage(page)
    await analyze(page)
    await expect(dialog(page).getByRole('alert')).toContainText('Failed to analyze image')
  })

  test('an analysis of an image without an id is reported', async ({ page }) => {
    await page.route(/\/api\/images\?/, async (route) => {
      const response = await route.fetch()
      const found = (await response.json()) as object[]
      await route.fulfill({ response, json: found.map((image) => ({ ...image, id: '' })) })
    })
    await openWithImage(page)
    await analyze(page)
    await expect(dialog(page).getByRole('alert')).toContainText('No valid image ID found')
    await dialog(page).getByRole('button', { name: 'Close' }).last().click()
    await expect(dialog(page)).toBeHidden()
  })
})

test('a search without matches can be cleared, and a deletion undone', async ({ page }) => {
  await openWithImage(page)
  await page.getByRole('combobox', { name: 'Search names, titles and tags' }).fill('nothing is called this')
  await expect(main(page).getByText('No images match.', { exact: true })).toBeVisible()
  await main(page).getByRole('button', { name: 'Clear filters', exact: true }).click()
  await expect(tile(page)).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Search names, titles and tags' })).toHaveValue('')

  await tile(page).focus()
  await page.keyboard.press('Delete')
  await expect(tile(page)).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(tile(page)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Undo', exact: true })).toHaveCount(0)
  await page.reload()
  await expect(tile(page)).toBeVisible()
})

test.describe('a token missing from local storage', () => {
  const removeToken = (page: Page) => page.evaluate(() => localStorage.removeItem('token'))

  test('API keys are neither created nor deleted without a token', async ({ page }) => {
    await openKeys(page)
    await removeToken(page)
    await createKey(page)
    await expect(alert(page)).toHaveText('You need to be logged in to create API keys')
    await deleteKey(page)
    await expect(page.getByRole('alertdialog').getByRole('alert')).toHaveText(
      'You need to be logged in to delete API keys',
    )
  })

  test('API keys are not listed without a token', async ({ page }) => {
    await asUser(page)
    await expect(main(page).getByText(/^No images yet\./)).toBeVisible()
    await removeToken(page)
    await page.keyboard.press('g')
    await page.keyboard.press('k')
    await expect(alert(page).getByText('You need to be logged in to view API keys', { exact: true })).toBeVisible()
  })

  test('the account is not changed without a token', async ({ page }) => {
    await logIn(page)
    await page.goto('/account')
    await page.getByLabel('Name', { exact: true }).fill('Somebody')
    await removeToken(page)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(alert(page).filter({ hasText: /^No token found$/ })).toBeVisible()
    await expect(toast(page, 'No token found')).toHaveCount(0)
  })
})
