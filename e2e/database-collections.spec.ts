// Journeys with the collections of the database view: many, unusual names, deletion. On a server of its
// own, so that the last collection can be deleted.
import type { Page } from '@playwright/test'
import { onOwnServer } from './own-server.ts'
import { logIn, logInAsAdmin, unlock } from './log-in.ts'
import { expect } from './test.ts'

const test = onOwnServer({ DB_VIEW_PIN: '1234', ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: 'secret admin' })
// The browser logs rejected requests by itself.
test.use({ expectedConsole: [/status of (400|404)/] })

const html = '<img src=x onerror=alert(1)>'
const arabic = 'مجموعة 1'

const list = (page: Page) => page.getByRole('navigation', { name: 'Collections' })
const item = (page: Page, name: string) => list(page).getByRole('link', { name, exact: true })
const asked = (page: Page) => page.getByRole('alertdialog', { name: 'Delete this collection?' })
const toast = (page: Page) => page.getByRole('region', { name: 'Messages' }).locator('.toast:not(.toast-gone)')

/** Logs in a user with the view unlocked and exactly these collections. @returns a function that adds more */
async function prepare(page: Page, names: readonly string[]): Promise<(name: string) => Promise<void>> {
  const { request, headers } = await unlock(page, await logIn(page))
  const add = async (name: string) => {
    const path = `/db/collections/${encodeURIComponent(name)}/documents`
    expect((await request.post(path, { headers, data: { name } })).status()).toBe(201)
  }
  const { collections } = (await (await request.get('/db/collections', { headers })).json()) as {
    collections: string[]
  }
  for (const name of collections) await request.delete(`/db/collections/${encodeURIComponent(name)}`, { headers })
  for (const name of names) await add(name)
  return add
}

test('two hundred collections are listed, searched, refreshed and resized', async ({ page }) => {
  const numbered = Array.from({ length: 200 }, (_, at) => `n-${String(at).padStart(3, '0')}`)
  const add = await prepare(page, [...numbered, html])
  await page.goto('/api-docs?db=nowhere')
  const alert = page.getByRole('main').getByRole('alert')

  await test.step('a link to a deleted collection is reported beside the list', async () => {
    await expect(alert).toHaveText(/^Collection not found/)
    await expect(page.getByRole('heading', { name: 'No Collection Selected' })).toBeVisible()
    await expect(list(page).getByRole('link')).toHaveCount(201)
    await item(page, 'n-000').click()
    await expect(item(page, 'n-000')).toHaveAttribute('aria-current', 'true')
    await expect(page).toHaveURL(/\?db=n-000$/)
    await expect(alert).toHaveCount(0)
  })

  await test.step('the list is one tab stop, and the arrow keys move within it', async () => {
    await item(page, 'n-000').focus()
    await page.keyboard.press('ArrowDown')
    await expect(item(page, 'n-001')).toBeFocused()
    await page.keyboard.press('End')
    await expect(item(page, 'n-199')).toBeFocused()
    await expect(item(page, 'n-199')).toBeInViewport()
    await page.keyboard.press('Tab')
    await expect(list(page).getByRole('button', { name: 'Delete n-199' })).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(page.getByRole('separator', { name: 'Width of the collections' })).toBeFocused()
  })

  await test.step('the width changes by keys and is stored', async () => {
    const separator = page.getByRole('separator', { name: 'Width of the collections' })
    await page.keyboard.press('End')
    await expect(separator).toHaveAttribute('aria-valuenow', '520')
    await page.keyboard.press('ArrowLeft')
    await expect(separator).toHaveAttribute('aria-valuenow', '504')
    await page.reload()
    await expect(separator).toHaveAttribute('aria-valuenow', '504')
    await page.goto('/api-docs?db=n-150')
    await expect(item(page, 'n-150')).toBeInViewport()
    await expect(page.getByRole('searchbox', { name: 'Filter collections' })).toBeInViewport()
    const { x, y, width } = (await separator.boundingBox()) ?? { x: 0, y: 0, width: 0 }
    await page.mouse.move(x + width / 2, y + 200)
    await page.mouse.down()
    await page.mouse.move(x + width / 2 - 150, y + 210, { steps: 4 })
    await page.mouse.up()
    await expect(separator).toHaveAttribute('aria-valuenow', /^35\d$/)
  })

  await test.step('the filter finds collections, and a name with HTML is shown as text', async () => {
    const filter = page.getByRole('searchbox', { name: 'Filter collections' })
    await filter.fill('IMG')
    await expect(list(page).getByRole('link')).toHaveCount(1)
    await page.keyboard.press('ArrowDown')
    await expect(item(page, html)).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(item(page, html)).toHaveAttribute('aria-current', 'true')
    await filter.fill('nothing has this')
    await expect(page.getByText('No collection has this in its name')).toBeVisible()
    await filter.fill('')
  })

  await test.step('a refresh shows a new collection, and a failed refresh keeps the list', async () => {
    await item(page, 'n-001').click()
    await expect(page.getByText('1 document', { exact: true })).toBeVisible()
    await add('zebra')
    await add('n-001')
    await page.getByRole('button', { name: 'Refresh collections' }).click()
    await expect(item(page, 'zebra')).toBeAttached()
    await expect(page.getByText('2 documents', { exact: true })).toBeVisible()
    await page.route('**/db/collections', (route) => route.fulfill({ status: 400, json: {} }))
    await page.getByRole('button', { name: 'Refresh collections' }).click()
    await expect(alert).toHaveText(/^Failed to fetch collections/)
    await expect(list(page).getByRole('link')).toHaveCount(202)
    await alert.getByRole('button', { name: 'Dismiss' }).click()
    await expect(alert).toHaveCount(0)
  })
})

test('a collection is deleted only when its exact name is typed', async ({ page }) => {
  await prepare(page, ['alpha', arabic, html])
  await page.goto(`/api-docs?db=${encodeURIComponent(html)}`)
  const confirm = asked(page).getByRole('button', { name: 'Delete Collection' })
  const field = asked(page).getByRole('textbox')

  await test.step('Delete is enabled only for the exact name', async () => {
    await page.getByRole('button', { name: `Delete ${html}` }).click()
    await expect(asked(page)).toContainText(`Type ${html} to confirm`)
    await expect(field).toBeFocused()
    await expect(confirm).toBeDisabled()
    for (const wrong of [html.slice(1), `${html} `, html.toUpperCase()]) {
      await field.fill(wrong)
      await expect(confirm).toBeDisabled()
    }
    await field.fill(html)
    // What the page loads ahead has arrived.
    await page.waitForLoadState('networkidle')
    await page.context().setOffline(true)
    await expect(confirm).toBeDisabled()
    await expect(asked(page)).toContainText('You are offline: nothing can be deleted')
    await page.context().setOffline(false)
    await expect(confirm).toBeEnabled()
  })

  await test.step('a failed deletion is reported in the dialog and above the content', async () => {
    await page.route('**/db/collections/*', (route) =>
      route.request().method() === 'DELETE' ? route.fulfill({ status: 400, json: {} }) : route.continue(),
    )
    await confirm.click()
    await expect(asked(page).getByRole('alert')).toHaveText(`Failed to delete collection ${html}`)
    await page.unroute('**/db/collections/*')
    await expect(page.locator('.db-main [role=alert]')).toContainText(`Failed to delete collection ${html}`)
  })

  await test.step('after the deletion the first collection is shown', async () => {
    await confirm.click()
    await expect(asked(page)).toHaveCount(0)
    await expect(toast(page)).toHaveText(/Collection deleted/)
    await expect(item(page, html)).toHaveCount(0)
    await expect(item(page, 'alpha')).toHaveAttribute('aria-current', 'true')
    await expect(page).toHaveURL(/\?db=alpha$/)
    await expect(page.getByRole('heading', { name: 'Collections' })).toBeFocused()
  })

  await test.step('deleting a collection that is not shown keeps the shown one', async () => {
    await item(page, arabic).focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect(field).toBeFocused()
    await page.keyboard.insertText(arabic)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect(item(page, arabic)).toHaveCount(0)
    await expect(item(page, 'alpha')).toHaveAttribute('aria-current', 'true')
  })

  await test.step('deleting the last collection shows the empty state', async () => {
    await page.setViewportSize({ width: 360, height: 740 })
    await expect(page.getByRole('combobox', { name: 'Collection' })).toHaveValue('alpha')
    await page.getByRole('button', { name: 'Delete alpha' }).click()
    await field.fill('alpha')
    await confirm.click()
    await expect(page.getByText('No collections found')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'No Collection Selected' })).toBeVisible()
    await expect(page).toHaveURL(/\/api-docs$/)
  })
})

test('an admin sees the system collections and cannot delete them', async ({ page }) => {
  await unlock(page, await logInAsAdmin(page))
  await page.goto('/api-docs')
  await expect(item(page, 'users')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Delete users', exact: true })).toHaveCount(0)
})
