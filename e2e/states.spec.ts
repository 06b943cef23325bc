// Every screen that loads or sends data while it does so, offline, after a failure and after too many requests: none is blank,
// each says what happens and why, is accessible and keeps its layout. SCREENSHOTS=1 saves each state, as screens.spec.ts does.
import type { Page, Route } from '@playwright/test'
import { type ActionState, actionScreens, placeOf } from './screens/action-screens.ts'
import { accessibilityTags, checkGeometry, saveInBothThemes, violations } from './screen-checks.ts'
import {
  adminDataScreens,
  bannerReason,
  type DataScreen,
  enter,
  failureOf,
  userDataScreens,
} from './screens/data-screens.ts'
import { expect, test } from './test.ts'

test.use({ expectedConsole: [/status of (429|500)|ERR_INTERNET_DISCONNECTED/] })
test.describe.configure({ timeout: 240_000 })

interface State {
  answer: (route: Route) => Promise<void> | void
  /** What a failure says; without one, the data are still awaited. */
  reason?: RegExp
  /** What a bar above the page says meanwhile. */
  bar?: RegExp
  isOffline?: boolean
}

const states: Record<string, State> = {
  loading: { answer: () => {} },
  failed: { answer: (route) => route.fulfill({ status: 500, body: '' }), reason: /\S/ },
  offline: {
    answer: (route) => route.abort('internetdisconnected'),
    reason: /You are offline/,
    isOffline: true,
  },
  limited: {
    answer: (route) => route.fulfill({ status: 429, headers: { 'retry-after': '20' }, json: {} }),
    bar: /Too many requests\. Trying again in \d+ seconds\./,
  },
}

const sizes = [
  { width: 360, height: 740 },
  { width: 1440, height: 900 },
]

for (const screen of [...userDataScreens, ...adminDataScreens])
  test(`screen ${screen.name} is never blank: while it loads, offline, failed or limited`, async ({ page }) => {
    await enter(page, screen)
    await page.clock.install()
    for (const [name, state] of Object.entries(states)) {
      await page.setViewportSize({ width: 1280, height: 800 })
      await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: 'light' })
      await page.route(screen.data, state.answer)
      await page.goto(screen.path)
      await screen.open?.(page)
      if (state.isOffline === true) await seemOffline(page)
      await expectState(page, screen, state)
      await checkLooks(page, screen.name, name)
      await page.unroute(screen.data)
    }
  })

const answers: Record<ActionState, State['answer']> = {
  pending: () => {},
  offline: (route) => route.abort('internetdisconnected'),
  failed: (route) => route.fulfill({ status: 500, body: '' }),
  limited: (route) => {
    const error = 'Too many requests. Try again in 20 seconds'
    const isText = route.request().url().includes('/email/')
    const body = isText ? error : JSON.stringify({ code: 'too_many_requests', error })
    return route.fulfill({ status: 429, headers: { 'retry-after': '20' }, body })
  },
}

for (const screen of actionScreens)
  test(`screen ${screen.name} says what becomes of its request: pending, offline, failed or limited`, async ({
    page,
  }) => {
    await page.clock.install()
    for (const [name, said] of Object.entries(screen.says) as [ActionState, RegExp][]) {
      await page.setViewportSize({ width: 1280, height: 800 })
      await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: 'light' })
      await screen.open(page)
      await page.route(screen.data, answers[name])
      if (name === 'offline') await seemOffline(page)
      await screen.act(page)
      await expect(async () => {
        await page.clock.fastForward(1500)
        const place = await placeOf(page)
        await expect(place.getByText(said).first()).toBeVisible({ timeout: 300 })
        const button = place.getByRole('button', { name: 'Try again' })
        await expect(button).toHaveCount(screen.triesAgain?.includes(name) === true ? 1 : 0, { timeout: 300 })
      }, name).toPass({ intervals: [50], timeout: 20_000 })
      await checkLooks(page, screen.name, name, screen.isLayered)
      // Ends the requests, and the page that seemed offline.
      await page.goto('about:blank')
      await page.unroute(screen.data)
    }
  })

async function checkLooks(page: Page, screen: string, state: string, isLayered = false): Promise<void> {
  expect.soft(await violations(page, (axe) => axe.withTags(accessibilityTags)), `${state}: axe`).toEqual([])
  for (const size of sizes) {
    await page.setViewportSize(size)
    if (!isLayered) await checkGeometry(page, `${state}, ${size.width}`)
    await saveInBothThemes(page, `${screen}.${state}-${size.width}`)
  }
}

/** The page is there and the requests fail: the document itself cannot be loaded offline in these tests. */
const seemOffline = (page: Page) =>
  page.evaluate(() => {
    Object.defineProperty(Navigator.prototype, 'onLine', { get: () => false })
    dispatchEvent(new Event('offline'))
  })

async function expectState(
  page: Page,
  { title, hasBanner = false }: DataScreen,
  { reason, bar, isOffline = false }: State,
): Promise<void> {
  // Not the loading of the page itself.
  await expect(page.locator('h1')).toBeAttached()
  const dialog = page.getByRole('dialog')
  const place = (await dialog.count()) > 0 ? dialog : page.getByRole('main')
  await expect(place).toHaveText(/\S/)
  if (bar !== undefined) await expect(page.getByText(bar).first()).toBeAttached()
  // On a phone a dialog covers the bar.
  if (bar !== undefined && place === dialog) await expect(dialog.getByText('Too many requests.')).toBeVisible()
  if (reason === undefined) {
    await expect(place.getByRole('status').filter({ hasText: 'Loading' }).first()).toBeAttached()
    return
  }
  await expect(async () => {
    await page.clock.fastForward(1500)
    const failure = failureOf(page, isOffline ? reason : title).first()
    // What starts by itself when the connection is back needs no button.
    if (!isOffline) await expect(failure.getByRole('button', { name: 'Try again' })).toBeVisible({ timeout: 200 })
    const explained = hasBanner ? failureOf(page, bannerReason).first() : failure
    await expect(explained).toContainText(hasBanner ? bannerReason : reason, { timeout: 200 })
  }).toPass({ intervals: [50], timeout: 20_000 })
}
