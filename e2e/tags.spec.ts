// Tags and terms of the search on the dashboard, by keyboard, with a way back.
import type { Page } from '@playwright/test'
import { png } from './e2e-images.ts'
import { logIn } from './log-in.ts'
import { expect, test } from './test.ts'

const main = (page: Page) => page.getByRole('main')
const tiles = (page: Page) => main(page).locator('li[aria-setsize]').getByRole('link')
const tile = (page: Page, name: string) => main(page).getByRole('link', { name: new RegExp(`^${name}, `) })
const search = (page: Page) => page.getByRole('combobox', { name: 'Search names, titles and tags' })
const options = (page: Page) => page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option')

async function open(page: Page, names: Record<string, string>): Promise<string> {
  const token = await logIn(page)
  for (const [name, tags] of Object.entries(names)) {
    const image = { name, mimeType: 'image/png', buffer: await png() }
    const multipart = { ...(tags !== '' && { tags }), image }
    const answer = await page.request.post('/api/upload', { headers: { authorization: `Bearer ${token}` }, multipart })
    expect(answer.status()).toBe(201)
  }
  await page.goto('/dashboard')
  await expect(tiles(page)).toHaveCount(Object.keys(names).length)
  return token
}

const three = { 'town.png': 'travel', 'sea.png': 'travel/sea,blue', 'plain.png': '' }

test('the search completes operators and tags, and shows its terms as chips', async ({ page }) => {
  await open(page, three)
  await search(page).click()
  await expect(options(page).first()).toHaveText(/^tag:With a tag/)
  await page.keyboard.type('ta')
  await page.keyboard.press('ArrowDown')
  await expect(search(page)).toHaveAttribute('aria-activedescendant', /-0$/)
  await page.keyboard.press('Enter')
  await expect(search(page)).toHaveValue('tag:')
  await page.keyboard.type('trav')
  await expect(options(page)).toHaveText([/^travel1 image$/, /^travel\/sea1 image$/])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(search(page)).toHaveValue('tag:travel ')
  await expect(tiles(page)).toHaveCount(2)
  await page.keyboard.type('-tag:blue')
  await expect(tiles(page)).toHaveCount(1)
  await expect(page.getByRole('list', { name: 'Search terms' }).getByRole('listitem')).toHaveText([
    'tag:travel',
    '-tag:blue',
  ])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Remove -tag:blue' }).click()
  await expect(tiles(page)).toHaveCount(2)
  await expect(search(page)).toHaveValue('tag:travel')
  await page.reload()
  await expect(tiles(page)).toHaveCount(2)
})

test('on a phone a long term of the search is cut, not the page', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await open(page, three)
  await search(page).fill(`tag:${'far-away-'.repeat(8)}`)
  const remove = page.getByRole('list', { name: 'Search terms' }).getByRole('button')
  await expect(remove).toBeInViewport({ ratio: 1 })
})

test('a term that says nothing is explained, and the list stays', async ({ page }) => {
  await open(page, three)
  await search(page).fill('size:big')
  await expect(page.getByText(/^'size:big': expected a size such as/)).toBeVisible()
  await expect(search(page)).toHaveAttribute('aria-invalid', 'true')
  await expect(tiles(page)).toHaveCount(3)
  await search(page).fill('size:<1mb')
  await expect(page.getByText(/^'size:big'/)).toBeHidden()
})

test('a selection gets tags by the keyboard, and undo takes them back', async ({ page }) => {
  const token = await open(page, three)
  const tagsOf = async () => {
    const answer = await page.request.get('/api/images?sort=name', { headers: { authorization: `Bearer ${token}` } })
    return ((await answer.json()) as { tags: string[] }[]).map(({ tags }) => tags)
  }
  await tile(page, 'plain.png').focus()
  await page.keyboard.press('ControlOrMeta+a')
  await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Tags' }).click()
  const dialog = page.getByRole('dialog', { name: 'Tags of 3 images' })
  await expect(dialog.getByText('travel, 1 of 3')).toBeVisible()
  await dialog.getByRole('combobox', { name: 'Tags' }).fill('Holiday')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('button', { name: 'Remove holiday' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  await expect.poll(tagsOf).toEqual([['holiday'], ['blue', 'holiday', 'travel/sea'], ['holiday', 'travel']])
  await page.getByRole('region', { name: 'Undo' }).getByRole('button', { name: 'Undo' }).click()
  await expect.poll(tagsOf).toEqual([[], ['blue', 'travel/sea'], ['travel']])
})

test('the suggestions of a dialog are not cut by it, and close when a tag is chosen', async ({ page }) => {
  await open(page, three)
  await tile(page, 'plain.png').focus()
  await page.keyboard.press('t')
  const dialog = page.getByRole('dialog', { name: 'Tags' })
  const field = dialog.getByRole('combobox', { name: 'Tags' })
  await expect(field).toBeFocused()
  await expect(dialog.getByRole('option')).toHaveCount(0)
  await field.press('ArrowDown')
  const last = dialog.getByRole('option', { name: 'travel/sea' })
  await expect(last).toBeInViewport({ ratio: 1 })
  await last.click()
  await expect(dialog.getByRole('button', { name: 'Remove travel/sea' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
})

test('the keys of actions act on the whole selection, wherever in it the focus is', async ({ page }) => {
  await open(page, three)
  await tile(page, 'town.png').focus()
  await page.keyboard.press('ControlOrMeta+a')
  await expect(page.getByRole('region', { name: 'Selection' })).toContainText('3 selected')
  await page.keyboard.press('c')
  await expect(page.getByText('3 images copied as URLs')).toBeVisible()
  await page.keyboard.press('t')
  const dialog = page.getByRole('dialog', { name: 'Tags of 3 images' })
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('b')
  await expect(page.getByRole('dialog', { name: 'Add 3 images to album' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('s')
  await expect(page.getByRole('dialog', { name: 'Share', exact: true }).getByText('3 images')).toBeVisible()
})
