// The landing page of a server where only users may upload.
import { onOwnServer } from './own-server.ts'
import { expect } from './test.ts'

const test = onOwnServer({ GUEST_UPLOADS: 'off' })

test('the landing page promises nothing to guests where they may not upload', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByText('Uploads need an account here.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Choose image' })).toHaveCount(0)
  for (const promise of ['Guest data is kept 60 days.', 'No account needed for images up to 5 MB.'])
    await expect(page.getByText(promise)).toHaveCount(0)
  expect(await (await page.request.get('/')).text()).not.toContain('60 days')
})
