// Members of an album: invited by a link, they add images, and are removed again.
import type { Browser, BrowserContext, Page } from '@playwright/test'
import { png } from './e2e-images.ts'
import { logIn } from './log-in.ts'
import { expect, test } from './test.ts'
import { drop, toast } from './upload.ts'

test.use({ expectedConsole: [/status of (404|409|500)/] })

const main = (page: Page) => page.getByRole('main')
const tiles = (page: Page) => main(page).locator('li[aria-setsize]').getByRole('link')
const title = (page: Page, text: string) => page.getByRole('heading', { level: 1, name: text })
const membersButton = (page: Page) => main(page).getByRole('button', { name: /^Members/ })
const members = (page: Page) => page.getByRole('dialog', { name: 'Members of Italy' })

/** A new user with an album that has a private image, on its page. */
async function openOwnAlbum(page: Page): Promise<string> {
  const token = await logIn(page)
  const headers = { authorization: `Bearer ${token}` }
  const image = { name: 'secret.png', mimeType: 'image/png', buffer: await png() }
  const multipart = { image, visibility: 'private' }
  const uploaded = (await (await page.request.post('/api/upload', { headers, multipart })).json()) as { id: string }
  const data = { title: 'Italy', images: [uploaded.id], upload_visibility: 'private' }
  const { id } = (await (await page.request.post('/api/albums', { headers, data })).json()) as { id: string }
  await page.goto(`/albums/${id}`)
  await expect(title(page, 'Italy')).toBeVisible()
  return id
}

/** @returns the link that the owner copies */
async function invite(page: Page, email: string, role: string): Promise<string> {
  await membersButton(page).click()
  const dialog = members(page)
  await dialog.getByRole('textbox', { name: 'Email' }).fill(email)
  await dialog.getByLabel('They may', { exact: true }).selectOption(role)
  await dialog.getByRole('button', { name: 'Invite', exact: true }).click()
  await expect(dialog.getByText(`${email} is invited`)).toBeVisible()
  await dialog.getByRole('button', { name: 'Copy invitation link', exact: true }).click()
  await expect(toast(page, 'Invitation link copied')).toBeVisible()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  expect(link).toMatch(/\/invitation#\S{20,}$/)
  return link
}

const allowCopying = (context: BrowserContext) => context.grantPermissions(['clipboard-read', 'clipboard-write'])

async function otherBrowser(browser: Browser): Promise<Page> {
  return (await browser.newContext()).newPage()
}

/** As people do who have no account. */
async function registerFrom(page: Page, email: string): Promise<void> {
  await main(page).getByRole('link', { name: 'Register' }).click()
  await main(page).getByLabel('Email').fill(email)
  await main(page).getByLabel('Password', { exact: true }).fill('a long secret for albums')
  await main(page).getByRole('button', { name: 'Register' }).click()
  await expect(title(page, 'Login')).toBeVisible()
  await main(page).getByLabel('Password', { exact: true }).fill('a long secret for albums')
  await main(page).getByRole('button', { name: 'Log in', exact: true }).click()
}

test('somebody without an account is invited, adds an image, and is removed', async ({ page, context, browser }) => {
  await allowCopying(context)
  const id = await openOwnAlbum(page)
  const email = `member-${crypto.randomUUID()}@example.com`
  const link = await invite(page, email, 'add')
  await expect(members(page).getByRole('listitem').filter({ hasText: email })).toContainText('Invited')

  const member = await otherBrowser(browser)
  await member.goto(link)
  await expect(title(member, 'You are invited to an album')).toBeVisible()
  await registerFrom(member, email)
  await expect(member).toHaveURL(/\/invitation$/)
  await main(member).getByRole('button', { name: 'Accept' }).click()
  await expect(title(member, 'Italy')).toBeVisible()
  await expect(toast(member, 'You are a member of Italy now')).toBeVisible()
  await expect(main(member).getByText('You may add images')).toBeVisible()
  await expect(tiles(member)).toHaveCount(1)
  await expect(membersButton(member)).toHaveCount(0)
  await drop(member, { name: 'mine.png', mimeType: 'image/png', buffer: await png() })
  await expect(tiles(member)).toHaveCount(2)

  await page.reload()
  await expect(tiles(page)).toHaveCount(2)
  await expect(membersButton(page)).toHaveAccessibleName('Members, 1')
  // The uploads of the member are as private as the owner wants those into the album.
  const shown = main(page).locator('li[aria-setsize] img')
  await expect(shown).toHaveCount(2)
  await expect
    .poll(() => shown.evaluateAll((images) => images.every((image) => (image as HTMLImageElement).naturalWidth > 0)))
    .toBe(true)

  await membersButton(page).click()
  const row = members(page).getByRole('listitem').filter({ hasText: email })
  await expect(row).not.toContainText('Invited')
  await row.getByRole('combobox').selectOption('Manage')
  await expect(toast(page, /^Changed what /)).toBeVisible()
  await row.getByRole('button', { name: /^Remove / }).click()
  const question = page.getByRole('alertdialog', { name: /^Remove / })
  await question.getByRole('checkbox', { name: 'Also take out the images that they added' }).check()
  await question.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(question).toHaveCount(0)
  await expect(members(page).getByText('Only you so far')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(tiles(page)).toHaveCount(1)

  await member.reload()
  await expect(member.getByText('There is no such album')).toBeVisible()
  await member.goto(link)
  await main(member).getByRole('button', { name: 'Accept' }).click()
  await expect(title(member, 'This invitation has ended')).toBeVisible()
  await member.goto(`/albums/${id}`)
  await expect(member.getByText('It was deleted, or is not shared with you.')).toBeVisible()
  await member.context().close()
})

test('a member leaves an album, and comes back by another invitation', async ({ page, context, browser }) => {
  await allowCopying(context)
  await openOwnAlbum(page)
  const link = await invite(page, 'grace@example.com', 'view')
  const member = await otherBrowser(browser)
  await logIn(member)
  await member.goto(link)
  await expect(main(member).getByText(/^You are logged in as /)).toBeVisible()
  await main(member).getByRole('button', { name: 'Accept' }).click()
  await expect(main(member).getByText('You may view it')).toBeVisible()
  await member.getByRole('button', { name: 'More for this album' }).click()
  await member.getByRole('menuitem', { name: 'Leave album' }).click()
  await member.getByRole('alertdialog').getByRole('button', { name: 'Leave album' }).click()
  await expect(title(member, 'Albums')).toBeVisible()
  await expect(member.getByText('No albums yet')).toBeVisible()
  await member.context().close()
})

test('a lost invitation gets a new link, and the list shows who accepts and leaves', async ({
  page,
  context,
  browser,
}) => {
  await allowCopying(context)
  await openOwnAlbum(page)
  const lost = await invite(page, 'grace@example.com', 'view')
  await page.reload()
  await membersButton(page).click()
  await members(page).getByRole('button', { name: 'New invitation link for grace@example.com' }).click()
  await expect(toast(page, 'New invitation link copied. The old one has ended')).toBeVisible()
  await expect(members(page).getByRole('heading', { name: 'Who is in it' })).toBeFocused()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  expect(link).not.toBe(lost)

  const member = await otherBrowser(browser)
  await logIn(member)
  await member.goto(lost)
  await main(member).getByRole('button', { name: 'Accept' }).click()
  await expect(title(member, 'This invitation has ended')).toBeVisible()
  await member.goto(link)
  await main(member).getByRole('button', { name: 'Accept' }).click()
  await expect(title(member, 'Italy')).toBeVisible()
  const row = members(page).getByRole('listitem').filter({ hasText: 'grace@example.com' })
  await expect(row).not.toContainText('Invited', { timeout: 15_000 })
  await member.getByRole('button', { name: 'More for this album' }).click()
  await member.getByRole('menuitem', { name: 'Leave album' }).click()
  await member.getByRole('alertdialog').getByRole('button', { name: 'Leave album' }).click()
  await expect(members(page).getByText('Only you so far')).toBeVisible({ timeout: 15_000 })
  await member.context().close()
})

/** A member who may add images, and has added one. @returns the page of the album for them */
async function joinedMember(page: Page, browser: Browser, id: string): Promise<Page> {
  const headers = { authorization: `Bearer ${await page.evaluate(() => localStorage.getItem('token'))}` }
  const data = { email: `member-${crypto.randomUUID()}@example.com`, role: 'add' }
  const made = await page.request.post(`/api/albums/${id}/members`, { headers, data })
  const { link } = (await made.json()) as { link: string }
  const member = await otherBrowser(browser)
  const own = { authorization: `Bearer ${await logIn(member)}` }
  await member.request.post('/api/albums/invites', { headers: own, data: { token: new URL(link).hash.slice(1) } })
  const image = { name: 'mine.png', mimeType: 'image/png', buffer: await png() }
  expect((await member.request.post('/api/upload', { headers: own, multipart: { album: id, image } })).status()).toBe(
    201,
  )
  await member.goto(`/albums/${id}`)
  await expect(tiles(member)).toHaveCount(2)
  return member
}

async function choicesFor(page: Page, name: string): Promise<string> {
  await tiles(page)
    .filter({ hasText: new RegExp(`^${name}`) })
    .click({ button: 'right' })
  const items = page.getByRole('menuitem')
  await expect(items.first()).toBeVisible()
  const names = await items.allTextContents()
  await page.keyboard.press('Escape')
  await expect(items).toHaveCount(0)
  return names.join(', ')
}

test('in a shared album, everybody is offered what they may do with each image', async ({ page, browser }) => {
  const id = await openOwnAlbum(page)
  const member = await joinedMember(page, browser, id)
  await page.reload()
  await expect(tiles(page)).toHaveCount(2)

  await test.step('the member with their own, and with that of the owner', async () => {
    expect(await choicesFor(member, 'mine.png')).toMatch(/Extend.*Expires.*Make public.*Remove from album.*Delete/)
    expect(await choicesFor(member, 'secret.png')).toMatch(/^Open, Copy URL\w?$/)
  })

  await test.step('the keys of a selection of others do nothing to the image with the focus', async () => {
    const tileOf = (name: string) => tiles(member).filter({ hasText: new RegExp(`^${name}`) })
    await tileOf('secret.png').focus()
    await member.keyboard.press('x')
    const bar = member.getByRole('region', { name: 'Selection' })
    await expect(bar).toContainText('1 selected, none of them yours')
    await expect(bar.getByRole('button')).toHaveText(['Clear', 'Copy'])
    await tileOf('mine.png').focus()
    for (const key of ['Delete', 'r', 't', 'b', 's']) await member.keyboard.press(key)
    await member.keyboard.press('Escape')
    await expect(bar).toHaveCount(0)
    await expect(member.getByRole('region', { name: 'Undo' })).toHaveCount(0)
    await expect(tiles(member)).toHaveCount(2)
    await expect(member.getByRole('dialog')).toHaveCount(0)
  })

  await test.step('the owner with that of the member, and with all at once', async () => {
    expect(await choicesFor(page, 'mine.png')).toMatch(/^Open, Copy URL\w?, Use as cover, Remove from album\w?$/)
    await page.getByRole('button', { name: 'More for this album' }).click()
    await page.getByRole('menuitem', { name: 'Delete album' }).click()
    await expect(page.getByRole('alertdialog')).toContainText('those of members stay with them')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+a')
    const bar = page.getByRole('region', { name: 'Selection' })
    await expect(bar).toContainText('2 selected, 1 of them yours')
    await page.keyboard.press('Delete')
    await expect(page.getByRole('region', { name: 'Undo' })).toContainText('secret.png')
    await expect(tiles(page)).toHaveCount(1)
    await page.keyboard.press('r')
    await expect(toast(page, '1 image removed from Italy')).toBeVisible()
    await expect(tiles(page)).toHaveCount(0)
  })
  await member.context().close()
})

test('what others were first to remove is said, and own images come back from between those of others', async ({
  page,
  browser,
}) => {
  const id = await openOwnAlbum(page)
  const member = await joinedMember(page, browser, id)
  const headers = { authorization: `Bearer ${await page.evaluate(() => localStorage.getItem('token'))}` }
  await page.reload()
  await expect(tiles(page)).toHaveCount(2)
  const undo = page.getByRole('region', { name: 'Undo' })

  await test.step('of a selection of both, the own ones come back', async () => {
    await tiles(page).first().focus()
    await page.keyboard.press('Control+a')
    await page.keyboard.press('r')
    await expect(undo).toContainText('2 images removed from Italy')
    await undo.getByRole('button', { name: 'Undo' }).click()
    await expect(toast(page, 'Your images are in the album again, those of others are not')).toBeVisible()
    await expect(tiles(page)).toHaveText([/secret\.png/])
  })

  await test.step('another tab was first', async () => {
    await page.route(`**/api/albums/${id}/images`, async (route) => {
      const data = route.request().postDataJSON() as object
      if (route.request().method() === 'DELETE') await page.request.delete(route.request().url(), { headers, data })
      await route.fallback()
    })
    await tiles(page).first().focus()
    await page.keyboard.press('r')
    await expect(toast(page, /^No image was removed/)).toBeVisible()
    await expect(tiles(page)).toHaveCount(0)
    await expect(undo).toHaveCount(0)
  })
  await member.context().close()
})

test('what goes wrong with an invitation is said where it is made', async ({ page, context }) => {
  await allowCopying(context)
  await openOwnAlbum(page)
  await invite(page, 'grace@example.com', 'view')
  const dialog = members(page)
  const field = dialog.getByRole('textbox', { name: 'Email' })
  await field.fill('grace')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('Enter an email address')).toBeVisible()
  await field.fill('grace@example.com')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('grace@example.com was invited already')).toBeVisible()
  await dialog.getByRole('button', { name: 'Remove grace@example.com' }).click()
  const question = page.getByRole('alertdialog', { name: 'Withdraw the invitation of grace@example.com?' })
  await question.getByRole('button', { name: 'Withdraw' }).click()
  await expect(dialog.getByText('Only you so far')).toBeVisible()
})

test('members that cannot be loaded are loaded again', async ({ page }) => {
  const id = await openOwnAlbum(page)
  await page.route('**/api/albums/*/members', (route) => route.fulfill({ status: 500, json: {} }))
  await page.goto(`/albums/${id}`)
  await membersButton(page).click()
  await expect(members(page).getByText('The members could not be loaded')).toBeVisible()
  await page.unroute('**/api/albums/*/members')
  await members(page).getByRole('button', { name: 'Try again' }).click()
  await expect(members(page).getByText('Only you so far')).toBeVisible()
})

test('the owner shares the album by a link', async ({ page, context }) => {
  await allowCopying(context)
  await openOwnAlbum(page)
  await main(page).getByRole('button', { name: 'Share', exact: true }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('button', { name: 'Copy link', exact: true }).first().click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toMatch(/\/l\/\S+$/)
})

test('an invitation without its token says so', async ({ page }) => {
  await page.goto('/invitation')
  await expect(main(page).getByText('This link is incomplete.')).toBeVisible()
})
