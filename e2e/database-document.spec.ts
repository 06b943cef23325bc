// Journeys in the document editor of the database view: reading, navigating, editing, conflicts, drafts.
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { logIn, logInAsAdmin, unlock } from './log-in.ts'
import { expect, test } from './test.ts'

// The browser logs rejected requests and closed connections by itself.
test.use({ expectedConsole: [/status of (403|404|409)|net::ERR_FAILED/] })

const panel = (page: Page) => page.getByRole('region', { name: 'Document', exact: true })
const line = (page: Page, name: RegExp) => panel(page).getByRole('treeitem', { name })
const form = (page: Page) => panel(page).getByRole('group', { name: 'Edit document' })
const save = (page: Page) => panel(page).getByRole('button', { name: 'Save' })
const state = (page: Page) => panel(page).locator('.doc-state')
const toast = (page: Page) => page.getByRole('region', { name: 'Messages' }).locator('.toast:not(.toast-gone)')

const person = {
  _id: 'ann',
  email: 'ann@example.com',
  completed: false,
  priority: 'urgent',
  logins: 42,
  bio: 'Longer than fifty characters, so that it is edited in a box.\r\nIn two lines.',
  nothing: null,
  address: { city: 'Graz', geo: { lat: 47.07, near: ['Mur'] } },
  tags: ['a', 'b'],
}

/** Logs in a user with the view unlocked and a collection of these documents. */
async function prepare(page: Page, documents: readonly object[]) {
  const { request, headers } = await unlock(page, await logIn(page))
  const collection = `people-${crypto.randomUUID()}`
  const path = `/db/collections/${collection}/documents`
  // One request per document: together they can exceed the size limit of a request.
  for (const data of documents) expect((await request.post(path, { headers, data })).status()).toBe(201)
  return {
    open: (id: string) => page.goto(`/api-docs?db=${collection}&doc=${encodeURIComponent(id)}`),
    read: async (id: string) => {
      const answer = await request.get(`${path}/${id}`, { headers })
      return ((await answer.json()) as { document: Record<string, unknown> }).document
    },
    change: async (id: string, data: object) =>
      expect((await request.patch(`${path}/${id}`, { headers, data })).status()).toBe(200),
  }
}

async function startEditing(page: Page): Promise<void> {
  await panel(page).getByRole('button', { name: 'Edit' }).click()
  await expect(form(page)).toBeVisible()
}

test('fields of every type are edited by keyboard and saved with their types', async ({ page }) => {
  const { open, read } = await prepare(page, [person, { _id: 'bob', email: 'bob@example.com' }])
  await open('ann')
  await expect(line(page, /"email"/)).toBeVisible()

  await test.step('E opens the form at its first field, with a control for each type', async () => {
    await page.keyboard.press('e')
    await expect(form(page).getByLabel('email')).toBeFocused()
    await expect(form(page).getByLabel('nothing')).toBeDisabled()
    await expect(form(page).getByText('Complex object editing not fully supported yet')).toHaveCount(2)
    await expect(form(page).getByRole('switch', { name: 'completed' })).not.toBeChecked()
    await expect(form(page).getByLabel('priority').getByRole('option')).toHaveText(['urgent', 'low', 'medium', 'high'])
    for (const name of ['_id', 'createdAt', '__v']) {
      await expect(form(page).getByText(name, { exact: true })).toBeVisible()
      await expect(form(page).getByLabel(name, { exact: true })).toHaveCount(0)
    }
    await expect(state(page)).toHaveText('No changes yet')
    await expect(save(page)).toBeDisabled()
  })

  await test.step('changed fields are marked, and an invalid number is reported', async () => {
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('e@example.com')
    await expect(form(page).getByLabel('email (modified)')).toHaveValue('e@example.com')
    const logins = form(page).getByLabel('logins')
    for (const [text, problem] of [
      ['1,5', 'Enter a decimal number with a point, such as 3.5'],
      ['1e400', 'This number is too large to be kept'],
      ['', 'Enter a number'],
    ] as const) {
      await logins.fill(text)
      await expect(form(page).getByRole('alert')).toHaveText(problem)
      await expect(state(page)).toHaveText('Contains errors: mend the marked fields to save')
      await expect(save(page)).toBeDisabled()
    }
    await logins.fill('43.5')
    await form(page).getByRole('switch', { name: 'completed' }).press('Space')
    await form(page).getByLabel('priority').selectOption('high')
    const bio = form(page).getByLabel('bio')
    await bio.press('ControlOrMeta+End')
    await bio.pressSequentially(' More.')
    await expect(form(page).getByText('(modified)')).toHaveCount(5)
    await expect(state(page)).toHaveText('5 changes, kept as a draft')
    expect((await new AxeBuilder({ page }).include('.doc-panel').analyze()).violations).toEqual([])
  })

  await test.step('Ctrl+S saves, and the panel and the table show the new values', async () => {
    const sent = page.waitForRequest((request) => request.method() === 'PATCH')
    await page.keyboard.press('ControlOrMeta+s')
    expect((await sent).headers()['if-match']).toBe('0')
    await expect(toast(page)).toHaveText(/Document updated/)
    await expect(panel(page).getByRole('button', { name: 'Edit' })).toBeFocused()
    await expect(line(page, /"logins": 43.5/)).toBeVisible()
    await expect(page.getByRole('row', { name: /"e@example.com"/ })).toBeVisible()
    const { createdAt: _, ...saved } = await read('ann')
    const change = { email: 'e@example.com', logins: 43.5, completed: true, priority: 'high' }
    expect(saved).toEqual({ ...person, ...change, bio: `${person.bio} More.`, __v: 1 })
  })

  await test.step('the pencil of another row opens that document for editing', async () => {
    await page.getByRole('row', { name: /bob/ }).first().press('e')
    await expect(form(page).getByLabel('email')).toHaveValue('bob@example.com')
    await page.keyboard.press('Escape')
    await expect(form(page)).toHaveCount(0)
    await page.keyboard.press('Escape')
    await expect(panel(page)).toHaveCount(0)
  })
})

test('a failed save keeps the edited values', async ({ page }) => {
  const { open, read } = await prepare(page, [person])
  await open('ann')
  await startEditing(page)
  await form(page).getByLabel('email').fill('new@example.com')

  await test.step('a request without a response keeps the edited values', async () => {
    await page.route('**/documents/ann', (route) =>
      route.request().method() === 'PATCH' ? route.abort() : route.continue(),
    )
    await save(page).click()
    await expect(panel(page).getByRole('alert')).toHaveText('Error updating document')
    await expect(toast(page)).toHaveText(/Error updating document/)
    await expect(state(page)).toHaveText('Not saved: 1 change, kept as a draft')
    await page.unroute('**/documents/ann')
  })

  await test.step('a closed connection keeps the edited values', async () => {
    await page.context().setOffline(true)
    await expect(state(page)).toContainText('You are offline')
    await expect(save(page)).toBeDisabled()
    await page.context().setOffline(false)
  })

  await test.step('a failure without a text is reported, and saving again succeeds', async () => {
    await page.route('**/documents/ann', (route) => route.fulfill({ status: 409, json: {} }), { times: 1 })
    await save(page).click()
    await expect(panel(page).getByRole('alert')).toHaveText('Failed to update document')
    await expect(page.getByRole('main').getByText('Failed to update document')).toHaveCount(2)
    await save(page).click()
    await expect(toast(page)).toHaveText(/Document updated/)
    await expect(page.getByRole('main').getByText('Failed to update document')).toHaveCount(0)
    await expect(form(page)).toHaveCount(0)
    expect((await read('ann')).email).toBe('new@example.com')
  })
})

test('a system collection states what it does not allow', async ({ page }) => {
  const { request, headers } = await unlock(page, await logInAsAdmin(page))
  const { user } = (await (await request.get('/api/me', { headers })).json()) as { user: { id: string } }
  await page.goto(`/api-docs?db=users&doc=${user.id}`)
  await startEditing(page)
  await form(page).getByLabel('role').fill('user')
  const sent = page.waitForRequest((request) => request.method() === 'PATCH')
  await save(page).click()
  expect((await sent).headers()['if-match']).toBeUndefined()
  await expect(panel(page).getByRole('alert')).toHaveText(/^You cannot change your own role/)
  await expect(form(page).getByLabel('role (modified)')).toHaveValue('user')
  await panel(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(line(page, /"role": "admin"/)).toBeVisible()
})

test('two users edit the same document', async ({ page }) => {
  const { open, read, change } = await prepare(page, [person])
  await open('ann')
  await startEditing(page)
  await form(page).getByLabel('email').fill('mine@example.com')
  const conflict = panel(page).getByRole('alert', { name: 'This document was changed meanwhile' })

  await test.step('saving reports the conflicting fields and offers a choice', async () => {
    await change('ann', { email: 'theirs@example.com', logins: 50 })
    await save(page).click()
    await expect(conflict.getByRole('listitem')).toHaveText(['email (by you, too)', 'logins'])
    await expect(state(page)).toHaveText('Choose above what to keep before you save')
    await conflict.getByRole('button', { name: 'Keep my changes' }).click()
    await expect(conflict).toHaveCount(0)
    await expect(form(page).getByLabel('logins')).toHaveValue('50')
    await expect(form(page).getByLabel('email (modified)')).toHaveValue('mine@example.com')
    await save(page).click()
    await expect(toast(page)).toHaveText(/Document updated/)
    expect(await read('ann')).toMatchObject({ email: 'mine@example.com', logins: 50, __v: 2 })
  })

  await test.step('loading the new version replaces the changes', async () => {
    await startEditing(page)
    await form(page).getByLabel('email').fill('again@example.com')
    await change('ann', { logins: 60 })
    await save(page).click()
    await conflict.getByRole('button', { name: 'Load the new version' }).click()
    await expect(form(page).getByLabel('email')).toHaveValue('mine@example.com')
    await expect(form(page).getByLabel('logins')).toHaveValue('60')
    await expect(state(page)).toHaveText('No changes yet')
  })
})

test('a draft survives opening another document and a reload', async ({ page }) => {
  const { open, change } = await prepare(page, [person, { _id: 'bob', email: 'bob@example.com' }])
  await open('ann')
  await startEditing(page)
  await form(page).getByLabel('email').fill('draft@example.com')

  await test.step('opening another document keeps the draft', async () => {
    await page.getByRole('row', { name: /bob/ }).first().click()
    await expect(line(page, /"email": "bob@example.com"/)).toBeVisible()
    await page.getByRole('row', { name: /ann/ }).first().click()
    await expect(panel(page).getByText('Draft restored')).toBeVisible()
    await expect(form(page).getByLabel('email (modified)')).toHaveValue('draft@example.com')
  })

  await test.step('a reload asks for confirmation and reports a change made meanwhile', async () => {
    await change('ann', { logins: 7 })
    // Without user activation the browser asks no confirmation.
    await form(page).getByLabel('logins').click()
    const asked = page.waitForEvent('dialog')
    const reloaded = page.reload()
    const dialog = await asked
    expect(dialog.type()).toBe('beforeunload')
    await dialog.accept()
    await reloaded
    await expect(panel(page).getByText('Draft restored')).toBeVisible()
    await expect(panel(page).getByRole('alert').getByRole('listitem')).toHaveText(['logins'])
    await panel(page).getByRole('button', { name: 'Keep my changes' }).click()
    await expect(form(page).getByLabel('email (modified)')).toHaveValue('draft@example.com')
  })

  await test.step('leaving asks for confirmation, and discarded changes are not restored', async () => {
    const question = page.getByRole('alertdialog', { name: 'Discard your changes?' })
    await form(page).getByLabel('email').press('Escape')
    await expect(question.getByText('1 change has not been saved.')).toBeVisible()
    await question.getByRole('button', { name: 'Keep editing' }).click()
    await panel(page).getByRole('button', { name: 'Close document' }).click()
    await question.getByRole('button', { name: 'Discard' }).click()
    await expect(panel(page)).toHaveCount(0)
    await page.getByRole('row', { name: /ann/ }).first().click()
    await expect(line(page, /"email": "ann@example.com"/)).toBeVisible()
    await expect(panel(page).getByText('Draft restored')).toHaveCount(0)
  })
})

test('logging out removes the drafts of the user', async ({ page }) => {
  const { open } = await prepare(page, [person])
  await open('ann')
  await startEditing(page)
  await form(page).getByLabel('email').fill('draft@example.com')
  const kept = () => page.evaluate(() => JSON.stringify(Object.entries(sessionStorage)))
  await expect.poll(kept).toContain('draft@example.com')
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect.poll(kept).toBe('[]')
})

test('the document tree opens nested values on their own', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText())
  const { open, change } = await prepare(page, [person])
  await open('ann')
  const crumbs = panel(page).getByText('address > geo', { exact: true })

  await test.step('the tree is open to level 2 and is operable by arrow keys', async () => {
    await expect(line(page, /"city"/)).toBeVisible()
    await expect(line(page, /"geo": \{ 2 keys \}/)).toHaveAttribute('aria-expanded', 'false')
    await line(page, /^\{/).focus()
    await page.keyboard.press('End')
    await expect(line(page, /"__v"/)).toBeFocused()
    await line(page, /"geo"/).focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await expect(line(page, /"lat"/)).toBeFocused()
    await panel(page).getByRole('button', { name: 'Copy path' }).click()
    await expect.poll(clipboard).toBe('address.geo.lat')
    await panel(page).getByRole('button', { name: 'Copy value' }).click()
    await expect.poll(clipboard).toBe('47.07')
    await panel(page).getByRole('button', { name: 'Copy JSON' }).click()
    await expect.poll(async () => JSON.parse(await clipboard()) as object).toMatchObject(person)
    expect((await new AxeBuilder({ page }).include('.doc-panel').analyze()).violations).toEqual([])
  })

  await test.step('a nested value opens on its own, and Alt+Left goes back', async () => {
    await line(page, /"geo"/).focus()
    await page.keyboard.press('Enter')
    await expect(crumbs).toBeVisible()
    await line(page, /"near"/).click()
    await panel(page).getByRole('button', { name: 'Open', exact: true }).click()
    await expect(panel(page).getByText('address > geo > near', { exact: true })).toBeVisible()
    await page.keyboard.press('Alt+ArrowLeft')
    await expect(crumbs).toBeVisible()
    await panel(page).getByRole('button', { name: 'Back' }).click()
    await expect(line(page, /"geo"/)).toBeFocused()
  })

  await test.step('the same document opens in the view by type', async () => {
    await page.keyboard.press('j')
    await panel(page).getByRole('button', { name: 'Open address' }).click()
    await panel(page).getByRole('button', { name: 'Open geo' }).click()
    await expect(crumbs).toBeVisible()
    await expect(panel(page).getByText('47.07')).toBeVisible()
    expect((await new AxeBuilder({ page }).include('.doc-panel').analyze()).violations).toEqual([])
    await panel(page).getByRole('button', { name: 'Close', exact: true }).click()
    await expect(panel(page).getByRole('button', { name: 'Open address' })).toBeFocused()
  })

  await test.step('a nested value that another user replaced is no longer valid', async () => {
    await panel(page).getByRole('button', { name: 'Open address' }).click()
    await change('ann', { address: 'Graz' })
    await page.getByRole('button', { name: 'Refresh collections' }).click()
    await expect(panel(page).getByText('Invalid data structure')).toBeVisible()
    await panel(page).getByRole('button', { name: 'Back' }).click()
    await expect(panel(page).getByText('Graz')).toBeVisible()
  })
})

test('unusual values are shown as text, and large values in parts', async ({ page }) => {
  // A key in a field of one megabyte takes the browser seconds, and more beside other journeys.
  test.setTimeout(180_000)
  let deep: object = { bottom: true }
  for (let level = 0; level < 30; level++) deep = { deeper: deep }
  const html = '<img src=x onerror=alert(1)><b>bold</b>'
  const odd = {
    _id: 'odd',
    html,
    '': 'no name',
    'a.b': 1,
    right: 'שלום \u202Eabc',
    list: Array.from({ length: 20_000 }, (_, at) => at),
    deep,
  }
  const slashes = 'a/b?c#d%2Fe'
  const { open } = await prepare(page, [odd, { _id: 'large', text: 'x'.repeat(1_000_000) }, { _id: slashes }])

  await test.step('HTML, unusual names and long lists are shown as text', async () => {
    await open('odd')
    await expect(line(page, /"html"/)).toContainText(html)
    await expect(line(page, /^"": "no name"/)).toBeVisible()
    await expect(panel(page).getByRole('treeitem')).toHaveCount(213)
    await line(page, /19900 … 19999|10000 … 19999/).click()
    await line(page, /19900 … 19999/).click()
    await expect(line(page, /^19999$/)).toBeVisible()
  })

  await test.step('32 nested levels are shown', async () => {
    await line(page, /"deep"/).focus()
    for (let level = 0; level < 31; level++) {
      await page.keyboard.press('ArrowRight')
      await page.keyboard.press('ArrowRight')
    }
    await expect(line(page, /"bottom": true/)).toBeFocused()
  })

  await test.step('a value of one megabyte is shown in parts', async () => {
    await open('large')
    await expect(line(page, /"text"/)).toContainText('999,700 more characters')
    await line(page, /"text"/).focus()
    await page.keyboard.press('Enter')
    await expect(line(page, /"text"/)).toContainText('997,000 more characters')
    await startEditing(page)
    await form(page).getByLabel('text').press('End')
    await form(page).getByLabel('text').press('Backspace')
    await expect(state(page)).toHaveText('1 change, kept as a draft')
    await panel(page).getByRole('button', { name: 'Cancel' }).click()
  })

  await test.step('field names such as __proto__ are shown as ordinary fields', async () => {
    const body =
      '{"document":{"_id":"hidden","createdAt":"2026-01-01T00:00:00.000Z","__v":0,"__proto__":{"x":1},"constructor":"c"}}'
    await page.route('**/documents/hidden', (route) => route.fulfill({ contentType: 'application/json', body }))
    await open('hidden')
    await expect(line(page, /"__proto__": \{/)).toBeVisible()
    await startEditing(page)
    await expect(form(page).getByLabel('constructor')).toHaveValue('c')
  })

  await test.step('an id that contains URL characters opens', async () => {
    await open(slashes)
    await expect(line(page, /"a\/b\?c#d%2Fe"/)).toBeVisible()
  })

  await test.step('a link to a deleted document is reported', async () => {
    await open('nowhere')
    await expect(panel(page).getByRole('alert')).toContainText('This document is no longer there')
    await expect(page.getByText('Document not found')).toHaveCount(0)
    await panel(page).getByRole('button', { name: 'Close', exact: true }).click()
    await expect(panel(page)).toHaveCount(0)
  })
})

test.describe('the document editor on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true })

  test('the sheet asks for confirmation before it discards changes', async ({ page }) => {
    const { open } = await prepare(page, [person])
    await open('ann')
    await startEditing(page)
    await form(page).getByLabel('email').fill('phone@example.com')
    await form(page).getByLabel('email').press('Escape')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click()
    await expect(line(page, /"email": "ann@example.com"/)).toBeVisible()
    await page.keyboard.press('j')
    await expect(panel(page).getByRole('term').first()).toHaveText('_id')
    await page.keyboard.press('Escape')
    await expect(panel(page)).toHaveCount(0)
  })
})
