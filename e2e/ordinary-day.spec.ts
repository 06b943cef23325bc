// What happens on an ordinary day: a server that restarts, a line that breaks, a second tab.
import { jpeg } from './e2e-images.ts'
import { logIn } from './log-in.ts'
import { expect, test } from './test.ts'
import { tile, uploadFor } from './upload.ts'

test.describe('thumbnails', () => {
  test.use({ expectedConsole: [/ERR_CONNECTION_FAILED|status of 410/] })

  test('that failed without a server come back by themselves, a few at a time, and a deleted one is not asked for again', async ({
    page,
  }) => {
    const token = await logIn(page)
    const ids: string[] = []
    for (let at = 0; at < 12; at++) ids.push(await uploadFor(page, token, `photo${at}.jpg`, '1h'))
    const [gone = ''] = ids
    let [isAway, underWay, most] = [true, 0, 0]
    const asked: string[] = []
    await page.route(/\/(thumbnail|uploads)\//, async (route) => {
      const request = route.request()
      asked.push(request.url())
      if (isAway) return route.abort('connectionfailed')
      // The image itself then takes it from the cache, which interception disables.
      if (request.resourceType() !== 'fetch') return route.continue()
      most = Math.max(most, ++underWay)
      await route.fulfill({ response: await route.fetch() })
      underWay--
    })
    await page.goto('/dashboard')
    await expect(tile(page, /photo/).locator('svg.lucide-file-image')).toHaveCount(12)
    await expect(tile(page, /photo/).locator('img')).toHaveCount(0)
    await page.request.delete(`/api/images/${gone}`, { headers: { authorization: `Bearer ${token}` }, data: {} })

    const before = asked.length
    await expect.poll(() => asked.length).toBeGreaterThan(before)
    expect(asked.length, 'one asks for all while none comes').toBeLessThan(before + 4)
    isAway = false
    await expect(tile(page, /photo/).locator('img.opacity-100')).toHaveCount(11)
    expect(most).toBeLessThanOrEqual(4)
    const askedForGone = () => asked.filter((url) => url.includes(gone)).length
    const times = askedForGone()
    await page.evaluate(() => dispatchEvent(new Event('online')))
    await page.waitForLoadState('networkidle')
    expect(askedForGone()).toBe(times)
  })
})
