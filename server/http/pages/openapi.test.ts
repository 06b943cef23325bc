// The served OpenAPI document, checked by a public linter.
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../testing/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

it('is valid OpenAPI 3.1 without linter problems', async () => {
  const { status, body } = await app.call('GET', '/api/openapi.json')
  expect(status).toBe(200)
  expect(body.openapi).toBe('3.1.0')
  const config = await createConfig({
    extends: ['recommended-strict'],
    rules: {
      // /api/users/stats and /api/users/{userId} are both specified; the router matches fixed
      // segments first.
      'no-ambiguous-paths': 'off',
      // The server URL is that of the instance, here a loopback address.
      'no-server-example.com': 'off',
    },
  })
  const problems = await lintFromString({ source: JSON.stringify(body), config })
  const found = problems.map(
    ({ ruleId, message, location }) => `${ruleId}: ${message} at ${location[0]?.pointer ?? ''}`,
  )
  expect(found).toEqual([])
})
