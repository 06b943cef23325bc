// How to open a screen, and the data that several screens show.
import type { Page } from '@playwright/test'
import { expect } from '../test.ts'

/** Each opens its screen and waits until it is complete. */
export type Screens = Record<string, (page: Page) => Promise<void>>

/** Fails when the page for unknown addresses opens. */
export const route = (path: string) => async (page: Page) => {
  await page.goto(path)
  const heading = page.getByRole('heading', { level: 1 })
  await expect(heading).toBeVisible()
  await expect(heading).not.toHaveText('Page Not Found')
}

/** Opens a page of a site with other settings. */
export async function openWith(page: Page, path: string, site: object): Promise<void> {
  await page.route(path, async (route) => {
    const response = await route.fetch()
    const body = (await response.text()).replace(
      /(id="site">)([^<]*)/,
      (_, tag: string, json: string) => tag + JSON.stringify({ ...(JSON.parse(json) as object), ...site }),
    )
    await route.fulfill({ response, body })
  })
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
}

/** The tests' server at a host name: browsers have no passkeys at IP addresses. */
export const siteByName = (process.env.E2E_URL ?? '').replace('127.0.0.1', 'localhost')

export const loginProviders = ['Example Company', 'University of Somewhere'].map((name, at) => ({
  id: `provider-${at}`,
  name,
}))

const dayMs = 24 * 3_600_000
export const daysOfMonth = Array.from({ length: 30 }, (_, at) =>
  new Date(Date.now() - (29 - at) * dayMs).toISOString().slice(0, 10),
)
