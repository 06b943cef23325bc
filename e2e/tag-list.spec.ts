// The page of all tags: found, coloured, renamed, merged and deleted everywhere, with undo.
import type { Page } from '@playwright/test'
import type { Tag } from '../contract/endpoints/tags.ts'
import { logIn } from './log-in.ts'
import { expect, test } from './test.ts'
import { uploadFor } from './upload.ts'

const rows = (page: Page) => page.getByRole('list', { name: 'Your tags' }).getByRole('listitem')
const undo = (page: Page, text: string) => page.getByRole('region', { name: 'Undo' }).getByText(text)

async function openTags(page: Page, tagsOf: string[][]): Promise<string> {
  const token = await logIn(page)
  const headers = { authorization: `Bearer ${token}` }
  for (const [at, tags] of tagsOf.entries()) {
    const id = await uploadFor(page, token, `photo${at}.jpg`, '365d')
    await page.request.post('/api/tags/images', { headers, data: { ids: [id], add: tags } })
  }
  return token
}

const tagsOf = async (page: Page, token: string) => {
  const answer = await page.request.get('/api/tags', { headers: { authorization: `Bearer ${token}` } })
  return ((await answer.json()) as Tag[]).map(({ name, images, colour }) => `${name} ${images} ${colour}`)
}

test.use({ expectedConsole: [/status of 409/] })

test('a tag is coloured, renamed with those below it, merged and deleted, each with undo', async ({ page }) => {
  const token = await openTags(page, [['cat'], ['cat', 'travel/italy'], ['travel/italy/rome', 'trips']])
  const before = ['cat 2 teal', 'travel/italy 1 null', 'travel/italy/rome 1 null', 'trips 1 null']
  await page.goto('/dashboard')
  await page.getByRole('button', { name: /@example\.com/ }).click()
  await page.getByRole('link', { name: 'Tags' }).click()
  await expect(page).toHaveTitle(/^Tags/)
  await expect(rows(page)).toHaveText([
    'cat2 images',
    'travelOnly tags below it',
    'travel/italy1 image',
    'travel/italy/rome1 image',
    'trips1 image',
  ])

  await page.getByRole('button', { name: 'Colour of cat: None' }).click()
  await page.keyboard.press('End')
  await page.getByRole('menuitemradio', { name: 'Teal' }).click()
  await expect(page.getByRole('button', { name: 'Colour of cat: Teal' })).toBeVisible()

  await test.step('a new name moves the tags below it', async () => {
    await page.getByRole('button', { name: 'Rename travel', exact: true }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Journeys')
    await page.keyboard.press('Enter')
    await expect(undo(page, 'travel is journeys now')).toBeVisible()
    expect(await tagsOf(page, token)).toContain('journeys/italy/rome 1 null')
    await page.keyboard.press('ControlOrMeta+Z')
    await expect(rows(page).filter({ hasText: 'travel/italy/rome' })).toBeVisible()
    expect(await tagsOf(page, token)).toEqual(before)
  })

  await test.step('the name of another tag merges both', async () => {
    await page.getByRole('button', { name: 'Rename travel/italy', exact: true }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('cat')
    await page.getByRole('button', { name: 'Rename', exact: true }).click()
    await expect(page.getByText('There is a tag cat already. Merge both into one?')).toBeVisible()
    await page.getByRole('button', { name: 'Merge' }).click()
    await expect(undo(page, 'travel/italy is merged into cat')).toBeVisible()
    expect(await tagsOf(page, token)).toEqual(['cat 2 teal', 'cat/rome 1 null', 'trips 1 null'])
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => tagsOf(page, token)).toEqual(before)
  })

  await test.step('a deleted tag comes back with its images and its colour', async () => {
    await page.getByRole('button', { name: 'Delete cat', exact: true }).click()
    await expect(undo(page, 'Tag removed from 2 images')).toBeVisible()
    await expect(rows(page)).toHaveCount(4)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => tagsOf(page, token)).toEqual(before)
    await expect(page.getByRole('button', { name: 'Colour of cat: Teal' })).toBeVisible()
  })

  await page.getByRole('link', { name: 'Show the images with travel/italy', exact: true }).click()
  await expect(page).toHaveURL(/\/dashboard\?q=tag/)
  await expect(page.getByText('2 images found')).toBeVisible()
})

test('tags are found by a part of their name, and an unusable name is refused', async ({ page }) => {
  await openTags(page, [['cat', 'concatenation', 'dog']])
  await page.goto('/tags')
  await page.getByRole('searchbox', { name: 'Search tags' }).fill('cat')
  await expect(page.getByText('2 tags found')).toBeVisible()
  await expect(rows(page)).toHaveCount(2)
  await page.getByRole('button', { name: 'Rename cat' }).click()
  const name = page.getByRole('textbox', { name: 'Name' })
  await name.fill(',')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Not a name for a tag')).toBeVisible()
  await name.fill('cat/inner')
  await page.keyboard.press('Enter')
  await expect(page.getByText('A tag cannot move below itself (cat)')).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('searchbox', { name: 'Search tags' }).fill('bird')
  await expect(page.getByText('No tag contains this')).toBeVisible()
  await page.getByRole('button', { name: 'Show all tags' }).click()
  await expect(rows(page)).toHaveCount(3)
})
