// Ways to be somebody without going through the pages: by the API.
import type { Page } from '@playwright/test'
import { expect } from './test.ts'

/** How people do it is the matter of account.spec.ts. @returns the token of the new user */
export async function logIn(page: Page): Promise<string> {
  const data = { email: `screens-${crypto.randomUUID()}@example.com`, password: 'secret screens' }
  const answer = await page.request.post('/api/register', { data })
  const { token } = (await answer.json()) as { token: string }
  await keepToken(page, token)
  return token
}

/** As the admin that global-setup.ts has made. @returns the token of the session */
export async function logInAsAdmin(page: Page): Promise<string> {
  const data = { email: 'admin@example.com', password: 'secret admin' }
  const answer = await page.request.post('/api/login', { data })
  const { token } = (await answer.json()) as { token: string }
  await keepToken(page, token)
  return token
}

/** Puts the token where the page looks for it. A file without a script is opened for that, in a tenth of a page's time. */
export async function keepToken(page: Page, token: string, site = ''): Promise<void> {
  await page.goto(`${site}/robots.txt`)
  await page.evaluate((value) => localStorage.setItem('token', value), token)
}

/** For this tab: how people do it is the matter of database-pin.spec.ts. @returns what its calls need */
export async function unlock(page: Page, token: string, pin = '1234') {
  const headers = { authorization: `Bearer ${token}` }
  const answer = await page.request.post('/db/unlock', { headers, data: { pin } })
  expect(answer.status()).toBe(200)
  const { token: opened } = (await answer.json()) as { token: string }
  const kept = { token: opened, endsAt: Date.now() + 900_000, session: token.slice(-16) }
  await page.evaluate((value) => sessionStorage.setItem('database', value), JSON.stringify(kept))
  return { request: page.request, headers: { ...headers, 'x-db-token': opened } }
}
