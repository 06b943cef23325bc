// Journeys of a reader of the API documentation: browsing, searching, copying code, sending requests.
import type { Page } from '@playwright/test'
import { jpeg } from './e2e-images.ts'
import { logIn } from './log-in.ts'
import { expect, test } from './test.ts'
import { toast } from './upload.ts'

const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true })
const chip = (page: Page, name: string) =>
  page.getByRole('group', { name: 'API categories' }).getByRole('button', { name: new RegExp(`^${name}`) })
const rows = (page: Page) => page.getByRole('rowheader')
const details = (page: Page, endpoint: string) => page.getByRole('dialog', { name: endpoint, exact: true })
const messages = (page: Page) => page.getByRole('region', { name: 'Messages' })
const search = (page: Page) => page.getByRole('searchbox', { name: 'Search endpoints' })

interface Operation {
  tags: string[]
}

/** The endpoints that the server states to serve, as `GET /api/me`, with their category. */
async function served(page: Page): Promise<Map<string, string>> {
  const { paths } = (await (await page.request.get('/api/openapi.json')).json()) as {
    paths: Record<string, Record<string, Operation>>
  }
  return new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { tags }]) => [`${method.toUpperCase()} ${path}`, tags[0] ?? '']),
    ),
  )
}

test('the endpoints tab lists exactly the endpoints that the server serves, by category', async ({ page }) => {
  await logIn(page)
  const operations = await served(page)
  const count = (category?: string) =>
    [...operations.values()].filter((one) => category === undefined || one === category).length

  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  await page.route(/assets\/api-docs-.*\.js/, async (route) => {
    await released
    await route.continue()
  })
  await page.goto('/pages/api-docs')
  await expect(page.getByRole('status').filter({ hasText: 'Loading API Docs...' })).toBeVisible()
  release()
  await expect(page.getByRole('heading', { name: 'API Documentation' })).toBeVisible()

  await test.step('the overview describes the API and links onwards', async () => {
    await expect(tab(page, 'Overview')).toHaveAttribute('aria-selected', 'true')
    await expect(page.getByText('120 requests per minute by default')).toBeVisible()
    await expect(page.getByText('240 for admin')).toBeVisible()
    for (const status of [
      '200 OK',
      '201 Created',
      '400 Bad Request',
      '401 Unauthorized',
      '403 Forbidden',
      '404 Not Found',
      '500 Server Error',
    ])
      await expect(page.getByRole('rowheader', { name: status })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Open /api/openapi.json' })).toHaveAttribute(
      'href',
      '/api/openapi.json',
    )
  })

  await test.step('the counts on the overview match the served endpoints', async () => {
    await expect(chip(page, 'All APIs')).toHaveText(`All APIs${count()}`)
    await expect(chip(page, 'Auth')).toHaveText(`Auth${count('auth')}`)
    await expect(chip(page, 'Database')).toHaveText(`Database${count('database')}`)
    await expect(chip(page, 'Images')).toHaveText(`Images${count('images')}`)
    await expect(chip(page, 'API Keys')).toHaveText(`API Keys${count('api-keys')}`)
  })

  await test.step('a category chip leads to its endpoints', async () => {
    await chip(page, 'API Keys').click()
    await expect(page.getByRole('heading', { name: 'API Keys' })).toBeFocused()
    const filters = page.getByRole('group', { name: 'Filter by category' })
    await expect(filters.getByRole('button', { name: 'API Keys' })).toHaveAttribute('aria-pressed', 'true')
    await expect(chip(page, 'Auth'), 'the categories are there once').toHaveCount(0)
    await expect(tab(page, 'Endpoints')).toHaveAttribute('aria-selected', 'true')
    await expect(rows(page)).toHaveCount(count('api-keys'))
    await page.getByRole('button', { name: /^All Endpoints/ }).click()
    await expect(rows(page)).toHaveCount(operations.size)
    const listed = await page
      .locator('tbody tr')
      .evaluateAll((all) => all.map((row) => `${row.children[0]?.textContent} ${row.children[1]?.textContent}`))
    expect(listed.toSorted()).toEqual([...operations.keys()].toSorted())
    await filters.getByRole('button', { name: 'Database' }).click()
    await expect(rows(page)).toHaveCount(count('database'))
    const size = page.viewportSize()
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('combobox', { name: 'Category' }).selectOption('auth')
    await expect(rows(page)).toHaveCount(count('auth'))
    await page.getByRole('combobox', { name: 'Category' }).selectOption('database')
    await page.setViewportSize(size ?? { width: 1280, height: 720 })
    await expect(rows(page)).toHaveCount(count('database'))
  })

  await test.step('the search finds endpoints and reports when nothing matches', async () => {
    await search(page).fill('BACKUP delete')
    await expect(rows(page)).toHaveText(['/api/database/backups/{id}'])
    await search(page).fill('no such thing')
    await expect(page.getByText('No endpoints found for this category')).toBeVisible()
    await page.reload()
    await expect(page.getByText('No endpoints found for this category')).toBeVisible()
    await page.getByRole('button', { name: 'Clear search' }).click()
    await expect(page.getByRole('heading', { name: 'Database', exact: true })).toBeFocused()
    await expect(rows(page)).toHaveCount(count('database'))
  })

  await test.step('the authentication tab has three parts, and Back goes through them', async () => {
    await tab(page, 'Authentication').click()
    await expect(page.getByText('Authorization: Bearer YOUR_API_KEY', { exact: true })).toBeVisible()
    await tab(page, 'API Keys').click()
    await expect(page.getByRole('link', { name: 'Manage your API keys' })).toHaveAttribute('href', '/api-keys')
    await expect(page.getByRole('link', { name: /^POST \/api\/upload(?!s)/ })).toBeVisible()
    await tab(page, 'Authorization Roles').click()
    for (const text of ['Full access', 'Public endpoints only', 'X-Guest-Token: DELETE_TOKEN'])
      await expect(page.getByText(text, { exact: true })).toBeVisible()
    await page.goBack()
    await expect(tab(page, 'API Keys')).toHaveAttribute('aria-selected', 'true')
    await page.goBack()
    await page.goBack()
    await expect(rows(page)).toHaveCount(count('database'))
  })
})

test('a toast covers neither the search nor the button of the database view', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.clock.install()
  await logIn(page)
  await page.goto('/api-docs#examples')
  const copy = page.getByRole('button', { name: 'Copy of GET /users', exact: true })
  await expect(copy).toBeVisible()
  // The toast stays.
  await page.clock.pauseAt(Date.now() + 60_000)
  await copy.click()
  const shown = messages(page).locator('.toast')
  await expect(shown).toBeVisible()
  for (const width of [360, 768, 1024, 1280, 1440, 1920, 2560]) {
    await page.setViewportSize({ width, height: 900 })
    for (const control of [search(page), page.getByRole('button', { name: 'Database View' })]) {
      const covered = async () => {
        const [a, b] = [await shown.boundingBox(), await control.boundingBox()]
        return a!.x < b!.x + b!.width && b!.x < a!.x + a!.width && a!.y < b!.y + b!.height && b!.y < a!.y + a!.height
      }
      await expect.poll(covered, `at ${width}`).toBe(false)
    }
  }
})

test('code samples are copied in the language that the page stores', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText())
  await logIn(page)
  await page.goto('/api-docs#examples')

  await test.step('the examples tab has four cURL samples', async () => {
    const blocks = page.getByRole('button', { name: /^Copy of (GET|POST|PUT) / })
    await expect(blocks).toHaveText([
      'Copy of GET /users',
      'Copy of POST /users',
      'Copy of PUT /users/{userId}',
      'Copy of GET /users/stats',
    ])
    await blocks.nth(1).click()
    await expect(messages(page)).toContainText(
      'Copied to clipboardYou can now paste the cURL command into your terminal',
    )
    const command = await clipboard()
    for (const part of [
      "curl -X POST '",
      '/users',
      'Authorization: Bearer',
      'firstName',
      'lastName',
      'email',
      'password',
      'role',
    ])
      expect(command).toContain(part)
  })

  await test.step('samples exist in four languages', async () => {
    await tab(page, 'Python').click()
    await page.getByRole('button', { name: 'Copy of Upload an image, Python' }).click()
    await expect(messages(page)).toContainText('Copied to clipboardCode example copied successfully')
    expect(await clipboard()).toContain('/api/upload')
    await page.reload()
    await expect(tab(page, 'Python')).toHaveAttribute('aria-selected', 'true')
  })

  await test.step('the API key appears in the sample and is stored nowhere', async () => {
    await page.goto('/api-docs?e=get-api-images')
    const dialog = details(page, 'GET /api/images')
    await expect(dialog.getByRole('combobox', { name: 'Language' })).toHaveValue('python')
    await dialog.getByRole('textbox', { name: 'Insert my key' }).fill('ik_secret')
    await expect(dialog.locator('pre')).toContainText('Bearer ik_secret')
    const kept = () => page.evaluate(() => [localStorage, sessionStorage].map((all) => JSON.stringify(all)).join())
    expect(await kept()).not.toContain('ik_secret')
    await page.reload()
    await expect(dialog.locator('pre')).toContainText('YOUR_API_KEY')
  })

  await test.step('a clipboard that rejects the copy is reported', async () => {
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('refused'))
      Object.assign(document, { execCommand: () => false })
    })
    await details(page, 'GET /api/images')
      .getByRole('button', { name: /^Copy of/ })
      .first()
      .click()
    await expect(page.getByRole('alert').filter({ hasText: 'Failed to copy' })).toContainText(
      'Please try again or copy manually',
    )
  })
})

test('an endpoint opens by URL, links to itself, and closes back to the list', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await logIn(page)
  await page.goto('/api-docs?category=images#endpoints')
  await page.getByRole('button', { name: 'View details of POST /api/upload', exact: true }).click()
  const dialog = details(page, 'POST /api/upload')
  await expect(dialog).toBeVisible()
  for (const badge of ['Public', 'Images', 'API key: upload'])
    await expect(dialog.getByText(badge, { exact: true })).toBeVisible()
  await expect(dialog.locator('pre')).toContainText('-F "image=@photo.jpg"')

  await tab(page, 'Parameters').click()
  await expect(dialog.getByRole('rowheader', { name: 'image', exact: true })).toBeVisible()
  await expect(dialog.getByText('multipart/form-data')).toBeVisible()
  await tab(page, 'Responses').click()
  await expect(dialog.getByText('201 Created')).toBeVisible()
  await expect(dialog.getByRole('row').filter({ hasText: 'file_too_large' })).toContainText('413')

  await dialog.getByRole('button', { name: 'Copy link' }).click()
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toMatch(/\/api-docs\?e=post-api-upload&show=responses#endpoints$/)
  await page.reload()
  await expect(tab(page, 'Responses')).toHaveAttribute('aria-selected', 'true')
  await page.goBack()
  await expect(dialog).toHaveCount(0)
  const filters = page.getByRole('group', { name: 'Filter by category' })
  await expect(filters.getByRole('button', { name: /^Images/ })).toHaveAttribute('aria-pressed', 'true')

  const view = page.getByRole('button', { name: 'View details of GET /api/images', exact: true })
  for (const close of [() => page.keyboard.press('Escape'), () => page.goBack()]) {
    await view.click()
    await expect(details(page, 'GET /api/images')).toBeVisible()
    await close()
    await expect(details(page, 'GET /api/images')).toHaveCount(0)
    await expect(view).toBeFocused()
    await expect(page).toHaveURL(/api-docs\?category=images#endpoints$/)
  }

  await page.goto('/api-docs?e=no-such-endpoint')
  await expect(rows(page).first()).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test.describe('sending requests from the documentation', () => {
  // The browser logs rejected requests by itself.
  test.use({ expectedConsole: [/status of (400|401|403|404)/] })
  const send = (page: Page) => page.getByRole('button', { name: 'Send request' }).click()
  const answer = (page: Page) => page.getByRole('region', { name: 'Response', exact: true })
  const open = (page: Page, id: string) => page.goto(`/api-docs?e=${id}&show=try#endpoints`)

  test('requests are sent as the user and as a guest, and errors are shown', async ({ page }) => {
    await logIn(page)
    await open(page, 'get-api-me')
    await send(page)
    await expect(answer(page).getByText('200 OK')).toBeVisible()
    await expect(answer(page).getByText(/^\d+ ms/)).toBeVisible()
    await expect(answer(page)).toContainText('"role": "user"')
    await page.getByRole('combobox', { name: 'Send as' }).selectOption('anonymous')
    await send(page)
    await expect(answer(page).getByText('401 Unauthorized')).toBeVisible()

    await open(page, 'get-api-users')
    await expect(page.getByText('Only admins may call this endpoint')).toBeVisible()
    await send(page)
    await expect(answer(page).getByText('403 Forbidden')).toBeVisible()

    await open(page, 'get-api-images-id')
    await send(page)
    await expect(page.getByRole('alert').filter({ hasText: 'This is required' })).toBeVisible()
    await expect(page.getByRole('textbox', { name: 'id string Required' })).toBeFocused()
    await page.keyboard.type('not/there')
    await expect(page.getByRole('dialog').locator('pre').last()).toContainText('/api/images/not%2Fthere')
    await send(page)
    await expect(answer(page).getByText('404 Not Found')).toBeVisible()

    await open(page, 'post-api-api-keys')
    const body = page.getByRole('textbox', { name: 'JSON body' })
    await body.fill('{"name": ')
    await send(page)
    await expect(page.getByRole('alert').filter({ hasText: 'This is not valid JSON' })).toBeVisible()
    await body.fill(`{"name": ${'['.repeat(5000)}${']'.repeat(5000)}}`)
    await send(page)
    await expect(answer(page).getByText('400 Bad Request')).toBeVisible()
    await body.fill('{"name": "from the docs"}')
    await send(page)
    await expect(answer(page).getByText('201 Created')).toBeVisible()
    await expect(answer(page)).toContainText('"name": "from the docs"')
  })

  test('requests upload a file, show an image response, and confirm a deletion', async ({ page }) => {
    await logIn(page)
    await open(page, 'post-api-upload')
    await send(page)
    await expect(page.getByRole('alert').filter({ hasText: 'Choose a file first' })).toBeVisible()
    await page.getByLabel(/^image/).setInputFiles({ name: 'harbour.jpg', mimeType: 'image/jpeg', buffer: await jpeg() })
    await send(page)
    await expect(answer(page).getByText('201 Created')).toBeVisible()
    const { id } = JSON.parse((await answer(page).locator('pre').textContent()) ?? '') as { id: string }

    await open(page, 'get-api-thumbnail-id-width')
    await page.getByRole('textbox', { name: /^id / }).fill(id)
    await page.getByRole('textbox', { name: /^width / }).fill('100')
    await send(page)
    const image = answer(page).getByRole('img')
    await expect(image).toBeVisible()
    expect(await image.evaluate((element: HTMLImageElement) => element.decode().then(() => element.naturalWidth))).toBe(
      100,
    )

    await open(page, 'delete-api-images-id')
    await page.getByRole('textbox', { name: /^id / }).fill(id)
    await page.getByRole('textbox', { name: 'JSON body' }).fill('')
    await send(page)
    const asked = page.getByRole('alertdialog', { name: 'Send this request?' })
    await expect(asked.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(answer(page)).toHaveText('')
    await send(page)
    await asked.getByRole('button', { name: 'Send it' }).click()
    await expect(answer(page).getByText('200 OK')).toBeVisible()

    await open(page, 'post-api-logout')
    await send(page)
    await expect(asked).toContainText('you will have to log in again')
    await asked.getByRole('button', { name: 'Send it' }).click()
    await expect(page).toHaveURL(/\/login\?next=/)
    expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
  })
})

test('the endpoint dialog is operable by keyboard alone', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await logIn(page)
  await page.goto('/api-docs')
  await expect(tab(page, 'Overview')).toBeVisible()
  await tab(page, 'Overview').focus()
  await page.keyboard.press('ArrowRight')
  await expect(tab(page, 'Authentication')).toBeFocused()
  await page.keyboard.press('End')
  await expect(tab(page, 'Examples')).toHaveAttribute('aria-selected', 'true')

  await chip(page, 'All APIs').focus()
  await page.keyboard.press('ArrowRight')
  await expect(chip(page, 'Auth')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Auth', exact: true })).toBeFocused()

  await page.keyboard.press('/')
  await expect(search(page)).toBeFocused()
  await page.keyboard.type('api/logo')
  await expect(rows(page)).toHaveText(['/api/logout', '/api/logout-everywhere'])
  await page.getByRole('link', { name: '/api/logout', exact: true }).focus()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('link', { name: '/api/logout-everywhere' })).toBeFocused()
  await page.keyboard.press('c')
  await expect(toast(page, 'Copied to clipboard')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('/api/logout-everywhere')
  await page.keyboard.press('Enter')
  await expect(details(page, 'POST /api/logout-everywhere')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('link', { name: '/api/logout-everywhere' })).toBeFocused()

  await page.evaluate(() => localStorage.setItem('shortcuts', 'off'))
  await page.evaluate(() => navigator.clipboard.writeText('kept'))
  await page.reload()
  // Rows that are still added would take the focus with them.
  await expect(rows(page)).toHaveText(['/api/logout', '/api/logout-everywhere'])
  await page.getByRole('link', { name: '/api/logout', exact: true }).focus()
  await expect(page.getByRole('link', { name: '/api/logout', exact: true })).toBeFocused()
  await page.keyboard.press('c')
  // The shortcuts of the list work: only its single letters are off.
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('link', { name: '/api/logout-everywhere' })).toBeFocused()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('kept')
})

test('the documentation works on a phone', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await logIn(page)
  await page.goto('/api-docs')
  for (const name of ['Overview', 'Authentication', 'Endpoints', 'Examples'])
    await expect(tab(page, name)).toBeInViewport({ ratio: 1 })
  await expect(page.getByRole('button', { name: 'Earlier categories' })).toBeDisabled()
  const more = page.getByRole('button', { name: 'More categories' })
  await expect(async () => {
    if (await more.isEnabled()) await more.click({ timeout: 1000 })
    await expect(more).toBeDisabled({ timeout: 1000 })
  }).toPass()
  await chip(page, 'API Keys').click()
  await page.getByRole('link', { name: '/api/api-keys/{id}' }).click()
  const dialog = details(page, 'DELETE /api/api-keys/{id}')
  await expect(dialog).toBeVisible()
  // Waits until the scroll has finished.
  await expect.poll(() => dialog.boundingBox()).toEqual({ x: 0, y: 0, width: 360, height: 740 })
})
