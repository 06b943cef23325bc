// Journeys in the table of a collection: pages, selection, deletion, the two views, keyboard.
import type { Page } from '@playwright/test'
import { onOwnServer } from './own-server.ts'
import { logIn, unlock } from './log-in.ts'
import { expect } from './test.ts'

const test = onOwnServer({ DB_VIEW_PIN: '1234' })
test.describe.configure({ mode: 'default' })

/** Returns `n` documents with the ids 'd1', 'd2' ... */
const numbered = (n: number) =>
  Array.from({ length: n }, (_, at) => ({ _id: `d${at + 1}`, email: `person${at + 1}@example.com`, at: at + 1 }))

/** Logs in a user with the view unlocked and a collection of these documents. */
async function prepare(page: Page, collection: string, documents: readonly unknown[]): Promise<void> {
  const { request, headers } = await unlock(page, await logIn(page))
  const answer = await request.post(`/db/collections/${collection}/documents`, { headers, data: documents })
  expect(answer.status()).toBe(201)
}

async function open(page: Page, search: string): Promise<void> {
  await page.goto(`/api-docs?${search}`)
  await expect(page.getByRole('rowheader').first()).toBeVisible()
}

const row = (page: Page, id: string) =>
  page.getByRole('row').filter({ has: page.getByRole('checkbox', { name: `Select ${id}`, exact: true }) })
const box = (page: Page, id: string) => page.getByRole('checkbox', { name: `Select ${id}`, exact: true })
const all = (page: Page) => page.getByRole('checkbox', { name: 'Select all on this page' })
const pageButton = (page: Page, n: string) => page.getByRole('button', { name: `Page ${n}`, exact: true })
const pages = (page: Page) =>
  page
    .getByRole('navigation', { name: 'Pages of documents' })
    .innerText()
    .then((text) => text.split(/\s+/).join(' '))

test('documents are selected across pages, deleted, and the last page with rows is shown', async ({ page }) => {
  await prepare(page, 'chosen', numbered(23))
  await open(page, 'db=chosen')
  await expect(page.getByRole('heading', { name: 'chosen' })).toBeVisible()
  await expect(page.getByText('23 documents')).toBeVisible()
  await expect.poll(() => pages(page)).toBe('1 2 3')

  await test.step('the header checkbox selects all, none or shows a partial selection', async () => {
    await expect(all(page)).not.toBeChecked()
    await box(page, 'd2').check()
    await expect(page.getByText('1 selected', { exact: true })).toBeVisible()
    await expect(all(page)).toBeChecked({ indeterminate: true })
    await all(page).click()
    await expect(page.getByText('10 selected', { exact: true })).toBeVisible()
    await expect(all(page)).toBeChecked()
    await all(page).click()
    await expect(page.getByText(/\d selected/)).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Delete Selected' })).toHaveCount(0)
  })

  await test.step('Shift selects a range, and the selection survives a change of the page', async () => {
    await box(page, 'd3').click()
    await row(page, 'd6').click({ modifiers: ['Shift'] })
    await expect(page.getByText('4 selected', { exact: true })).toBeVisible()
    await pageButton(page, '3').click()
    await expect(row(page, 'd21')).toBeVisible()
    await expect(all(page)).not.toBeChecked()
    await box(page, 'd21').check()
    await expect(page.getByText('5 selected', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Clear' }).click()
    await expect(page.getByText(/\d selected/)).toHaveCount(0)
    await expect(page.getByRole('heading', { name: 'chosen' })).toBeFocused()
  })

  await test.step('the confirmation lists the documents and focuses Cancel', async () => {
    await row(page, 'd22').click()
    await expect(page).toHaveURL(/doc=d22/)
    await expect(row(page, 'd22')).toHaveAttribute('aria-current', 'true')
    await all(page).check()
    await page.getByRole('button', { name: 'Delete Selected' }).click()
    const asked = page.getByRole('alertdialog', { name: 'Delete 3 documents?' })
    await expect(asked.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await expect(asked.getByRole('listitem')).toHaveText([/^d21email: "person21@example.com", at: 21/, /^d22/, /^d23/])
    await asked.getByRole('button', { name: 'Delete', exact: true }).click()
    await expect(page.getByText('Documents deleted', { exact: true })).toBeVisible()
    await expect(page.getByText('3 documents deleted')).toBeVisible()
  })

  await test.step('the previous page is shown, without the panel of a deleted document', async () => {
    await expect(row(page, 'd20')).toBeVisible()
    await expect(page).toHaveURL(/\?db=chosen&page=2$/)
    await expect(page.getByText('20 documents', { exact: true })).toBeVisible()
    await expect(page.getByRole('heading', { name: 'chosen' })).toBeFocused()
  })
})

test.describe('a deletion that fails', () => {
  // The browser logs rejected requests by itself.
  test.use({ expectedConsole: [/status of (400|403|500)|ERR_FAILED/] })

  test('documents that cannot be fetched are named by their collection', async ({ page }) => {
    await prepare(page, 'named', numbered(1))
    await page.route('**/db/collections/named?*', (route) => route.fulfill({ status: 400, json: {} }))
    await page.goto('/api-docs?db=named')
    await expect(page.getByRole('alert').first()).toHaveText(/^Failed to fetch documents from named/)
    await page.unroute('**/db/collections/named?*')
    await page.getByRole('button', { name: 'Try again' }).first().click()
    await expect(row(page, 'd1')).toBeVisible()
  })

  test('a failed deletion keeps the selection and shows the reason', async ({ page }) => {
    await prepare(page, 'kept', numbered(3))
    await open(page, 'db=kept')
    await all(page).check()
    const answers = [
      { body: { error: 'kept is a system collection: it stays' }, said: 'kept is a system collection: it stays' },
      { body: {}, said: 'Failed to delete documents' },
      { body: undefined, said: 'Error deleting documents' },
    ]
    for (const { body, said } of answers) {
      await page.route('**/db/collections/kept/documents', (route) =>
        body === undefined ? route.abort() : route.fulfill({ status: 'error' in body ? 403 : 500, json: body }),
      )
      await page.getByRole('button', { name: 'Delete Selected' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete', exact: true }).click()
      await expect(page.getByRole('main').getByText(said)).toBeVisible()
      await expect(page.getByRole('alertdialog')).toHaveCount(0)
      await expect(page.getByText('3 selected', { exact: true })).toBeVisible()
      await page.unroute('**/db/collections/kept/documents')
    }
    await page.getByRole('button', { name: 'Delete Selected' }).click()
    const asked = page.getByRole('alertdialog')
    const confirm = asked.getByRole('button', { name: 'Delete', exact: true })
    await page.context().setOffline(true)
    await expect(confirm).toBeDisabled()
    await expect(asked.getByText('You are offline: nothing can be deleted')).toBeVisible()
    await asked.getByRole('button', { name: 'Cancel' }).click()
    await expect(asked).toBeHidden()
    await expect(page.getByRole('button', { name: 'Delete Selected' })).toBeDisabled()
    // The closed dialog has the same text until it is removed.
    const reason = page.getByText('You are offline: nothing can be deleted').filter({ visible: true })
    await expect(reason).toBeVisible()

    await page.context().setOffline(false)
    await expect(page.getByRole('main').getByRole('alert')).toHaveText(/^Error deleting documents/)
    await page.getByRole('button', { name: 'Delete Selected' }).click()
    await confirm.click()
    await expect(page.getByText('No documents found in this collection')).toBeVisible()
    await expect(page.getByRole('main').getByRole('alert')).toHaveCount(0)
  })
})

test('pagination shows all of a few pages, some of many, and any by number', async ({ page }) => {
  await prepare(page, 'paged', numbered(65))
  await open(page, 'db=paged&page=99')
  await expect(row(page, 'd65')).toBeVisible()
  await expect(page).toHaveURL(/page=7$/)
  await expect(pageButton(page, '7')).toHaveAttribute('aria-current', 'page')
  await expect.poll(() => pages(page)).toBe('1 … 5 6 7')

  await page.getByRole('button', { name: 'Previous page' }).click()
  await expect(row(page, 'd51')).toBeVisible()
  const jump = page.getByLabel('Page', { exact: true })
  await jump.fill('3')
  await jump.press('Enter')
  await expect(row(page, 'd21')).toBeVisible()
  await expect(jump).toHaveValue('3')
  await expect.poll(() => pages(page)).toBe('1 2 3 4 … 7')

  await test.step('a million documents are paginated', async () => {
    await page.route('**/db/collections/paged?*', async (route) => {
      const reply = (await (await route.fetch()).json()) as object
      await route.fulfill({ json: { ...reply, total: 1_000_000, totalPages: 100_000 } })
    })
    await pageButton(page, '4').click()
    await expect(page.getByText('1,000,000 documents')).toBeVisible()
    await pageButton(page, '100,000').click()
    await expect(page).toHaveURL(/page=100000$/)
    await expect.poll(() => pages(page)).toBe('1 … 99,998 99,999 100,000')
  })

  await test.step('a single page shows no pagination', async () => {
    await prepare(page, 'single', numbered(10))
    await open(page, 'db=single')
    await expect(page.getByRole('navigation', { name: 'Pages of documents' })).toHaveCount(0)
  })
})

const deep = JSON.parse(`${'{"a":'.repeat(25)}1${'}'.repeat(25)}`) as unknown

test('any value under any name is shown as text', async ({ page }) => {
  await prepare(page, 'odd', [
    { _id: 'huge', text: 'x'.repeat(1_000_000) },
    { _id: 'html', html: '<img src=x onerror=alert(1)>', '': 'no name', 'a.b': 1, שם: 'שלום', toString: 2 },
    { _id: 'typed', priority: 'high', done: true, when: '2026-11-21T10:00:00Z', deep, list: [1, 2], nothing: null },
  ])
  await open(page, 'db=odd')

  await test.step('the JSON view shows values as text', async () => {
    await expect(page.getByRole('gridcell', { name: '"<img src=x onerror=alert(1)>"' })).toBeVisible()
    await expect(page.getByRole('gridcell', { name: '"high"', exact: true })).toBeVisible()
    await expect(page.getByRole('gridcell', { name: /^\{"a": \{"a": / })).toBeVisible()
    const headings = await page.getByRole('columnheader').allInnerTexts()
    expect(headings.slice(0, 1)).toEqual(['_id'])
    expect(headings.slice(-2)).toEqual(['createdAt', '__v'])
    for (const name of ['""', 'a.b', 'שם', 'toString']) expect(headings).toContain(name)
    await expect(page.getByRole('grid').locator('img')).toHaveCount(0)
    expect(await page.evaluate(() => document.body.innerHTML.length)).toBeLessThan(200_000)
  })

  await test.step('the view by type shows values as text', async () => {
    await page.getByRole('button', { name: 'GUI', exact: true }).click()
    await expect(page.getByRole('button', { name: 'GUI', exact: true })).toHaveAttribute('aria-pressed', 'true')
    const typed = row(page, 'typed')
    for (const text of ['high', 'true', '{1 key}', '[2]', 'null'])
      await expect(typed.getByText(text, { exact: true })).toBeVisible()
    await expect(typed.getByTitle('2026-11-21T10:00:00Z')).toHaveText(/^Nov 21, 2026, /)
    await expect(row(page, 'html')).toContainText('<img src=x onerror=alert(1)>')
    expect(await page.evaluate(() => document.body.innerHTML.length)).toBeLessThan(200_000)
  })
})

test('of hundreds of columns some are shown, any can be, and widths are stored', async ({ page }) => {
  await prepare(page, 'wide', [Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`field${at}`, at]))])
  await open(page, 'db=wide')
  const heading = (name: string) => page.getByRole('columnheader', { name, exact: true })
  await expect(page.getByRole('columnheader')).toHaveCount(40)
  const menu = page.getByRole('group', { name: 'Columns' })
  await page.getByRole('button', { name: 'Columns 263 hidden' }).click()
  await expect(menu.getByText('203 more: type to find them')).toBeVisible()
  await menu.getByLabel('Filter columns').fill('field250')
  await menu.getByRole('checkbox', { name: 'field250' }).check()
  await expect(heading('field250')).toBeVisible()
  await expect(page.getByRole('columnheader')).toHaveCount(40)

  await menu.getByLabel('Filter columns').fill('field1')
  await menu.getByRole('checkbox', { name: 'field1', exact: true }).uncheck()
  await expect(heading('field1')).toHaveCount(0)
  await menu.getByLabel('Filter columns').fill('field2')
  const width = async () => Math.round((await heading('field2').boundingBox())?.width ?? 0)
  const before = await width()
  await menu.getByRole('button', { name: 'Make field2 wider', exact: true }).click()
  await expect.poll(width).toBeGreaterThan(before + 20)
  await page.keyboard.press('Escape')
  await expect(menu).toBeHidden()

  await test.step('columns are resized by dragging', async () => {
    const at = await heading('field0').boundingBox()
    if (at === null) throw new Error('no heading')
    await page.mouse.move(at.x + at.width - 3, at.y + 10)
    await page.mouse.down()
    await page.mouse.move(at.x + 400, at.y + 10, { steps: 3 })
    await page.mouse.up()
    await expect.poll(async () => Math.round((await heading('field0').boundingBox())?.width ?? 0)).toBe(403)
  })

  const wide = await width()
  await page.reload()
  await expect(heading('field250')).toBeVisible()
  await expect(heading('field1')).toHaveCount(0)
  await expect.poll(width).toBe(wide)
  await page.getByRole('button', { name: /^Columns/ }).click()
  await menu.getByRole('button', { name: 'Reset columns' }).click()
  await expect(heading('field1')).toBeVisible()
})

test('the table is operable by keys alone', async ({ page }) => {
  await prepare(page, 'keys', numbered(12))
  await open(page, 'db=keys')

  await test.step('the table is one tab stop, and keys move, select and extend a range', async () => {
    await all(page).focus()
    await page.keyboard.press('Tab')
    await expect(row(page, 'd1')).toBeFocused()
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowDown')
    await expect(row(page, 'd2')).toBeFocused()
    await page.keyboard.press('Space')
    await expect(row(page, 'd2')).toHaveAttribute('aria-selected', 'true')
    for (let at = 0; at < 3; at++) await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('Shift+ArrowUp')
    await expect(row(page, 'd4')).toBeFocused()
    await expect(page.getByText('3 selected', { exact: true })).toBeVisible()
    await page.keyboard.press('Control+a')
    await expect(page.getByText('10 selected', { exact: true })).toBeVisible()
    await page.keyboard.press('Tab')
    await expect(page.getByRole('button', { name: 'Previous page' })).toBeFocused()
    await page.keyboard.press('Shift+Tab')
    await expect(row(page, 'd4')).toBeFocused()
  })

  await test.step('a key opens the next page and keeps the focus in the rows', async () => {
    await page.keyboard.press(']')
    await expect(row(page, 'd12')).toBeFocused()
    await page.keyboard.press(']')
    await expect(page).toHaveURL(/page=2$/)
    await page.keyboard.press('[')
    await expect(row(page, 'd2')).toBeFocused()
  })

  await test.step('keys switch between JSON and GUI, open and edit', async () => {
    await expect(page.getByRole('gridcell', { name: '"person2@example.com"' })).toBeVisible()
    await page.keyboard.press('j')
    await expect(page.getByRole('gridcell', { name: 'person2@example.com', exact: true })).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/doc=d2$/)
    await row(page, 'd3').focus()
    await page.keyboard.press('e')
    await expect(page).toHaveURL(/doc=d3$/)
  })

  await test.step('single-letter shortcuts can be switched off', async () => {
    await page.evaluate(() => localStorage.setItem('shortcuts', 'off'))
    await page.goto(`/api-docs?db=keys`)
    await row(page, 'd1').focus()
    await page.keyboard.press('j')
    await page.keyboard.press('e')
    await page.keyboard.press(']')
    await page.keyboard.press('Space')
    await expect(page.getByText('1 selected', { exact: true })).toBeVisible()
    await expect(page).toHaveURL(/db=keys$/)
    await expect(page.getByRole('button', { name: 'GUI', exact: true })).toHaveAttribute('aria-pressed', 'true')
  })
})
