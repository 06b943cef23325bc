// The document as it is served, under a linter that others keep.
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../testing/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

it('is valid OpenAPI 3.1, and the linter has nothing to say of it', async () => {
  const { status, body } = await app.call('GET', '/api/openapi.json')
  expect(status).toBe(200)
  expect(body.openapi).toBe('3.1.0')
  const config = await createConfig({
    extends: ['recommended-strict'],
    rules: {
      // /api/users/stats beside /api/users/{userId}, as the specification has them: fixed words come first in the router.
      'no-ambiguous-paths': 'off',
      // The address is the instance's own, which here is on this machine.
      'no-server-example.com': 'off',
    },
  })
  const problems = await lintFromString({ source: JSON.stringify(body), config })
  const said = problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} at ${location[0]?.pointer ?? ''}`)
  expect(said).toEqual([])
})
