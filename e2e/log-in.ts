// Logs in through the API, without the pages.
import type { Page } from '@playwright/test'
import { expect } from './test.ts'

/** Registers a new user; account.spec.ts tests the pages for it. @returns the session token */
export async function logIn(page: Page): Promise<string> {
  const data = { email: `screens-${crypto.randomUUID()}@example.com`, password: 'secret screens' }
  const answer = await page.request.post('/api/register', { data })
  const { token } = (await answer.json()) as { token: string }
  await keepToken(page, token)
  return token
}

/** Logs in the admin that global-setup.ts configures. @returns the session token */
export async function logInAsAdmin(page: Page): Promise<string> {
  const data = { email: 'admin@example.com', password: 'secret admin' }
  const answer = await page.request.post('/api/login', { data })
  const { token } = (await answer.json()) as { token: string }
  await keepToken(page, token)
  return token
}

/** Stores the token where the page reads it. robots.txt has no script and loads in a tenth of a page's time. */
export async function keepToken(page: Page, token: string, site = ''): Promise<void> {
  await page.goto(`${site}/robots.txt`)
  await page.evaluate((value) => localStorage.setItem('token', value), token)
}

/** Unlocks the database view for this tab; database-pin.spec.ts tests the dialog. @returns the headers for its API */
export async function unlock(page: Page, token: string, pin = '1234') {
  const headers = { authorization: `Bearer ${token}` }
  const answer = await page.request.post('/db/unlock', { headers, data: { pin } })
  expect(answer.status()).toBe(200)
  const { token: opened } = (await answer.json()) as { token: string }
  const kept = { token: opened, endsAt: Date.now() + 900_000, session: token.slice(-16) }
  await page.evaluate((value) => sessionStorage.setItem('database', value), JSON.stringify(kept))
  return { request: page.request, headers: { ...headers, 'x-db-token': opened } }
}
