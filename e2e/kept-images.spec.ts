// An image that its user keeps for good, and no longer.
import { logIn } from './log-in.ts'
import { onOwnServer } from './own-server.ts'
import { expect } from './test.ts'
import { tile, uploadFor } from './upload.ts'

const test = onOwnServer({ MAY_KEEP: 'users' })

test('an image is kept by one click, shown as kept, and not kept any more by undo', async ({ page }) => {
  const token = await logIn(page)
  const id = await uploadFor(page, token, 'harbour.jpg', '3d')
  const expiry = async () => {
    const answer = await page.request.get(`/api/images/${id}`, { headers: { authorization: `Bearer ${token}` } })
    return ((await answer.json()) as { expires_at: string | null }).expires_at
  }
  const before = await expiry()
  expect(before).not.toBeNull()
  await page.goto('/dashboard')
  const image = tile(page, /^harbour\.jpg/)
  await expect(image).toContainText('Expires in 3 days')
  await image.hover()
  await image.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Keep' }).click()
  const kept = page.getByRole('main').getByRole('listitem').getByText('Kept', { exact: true })
  const undo = page.getByRole('region', { name: 'Undo' })
  await expect(undo).toBeVisible()
  await expect(image).not.toContainText('Expires')
  await page.getByRole('button', { name: 'List' }).click()
  await expect(kept).toBeVisible()
  expect(await expiry()).toBeNull()

  await undo.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(expiry).toBe(before)
  await expect(kept).toHaveCount(0)
})
