// Runs a short fuzz with a fixed seed, and replays every stored regression. `npm run fuzz` is the
// long run.
import { describe, expect, onTestFinished, test } from 'vitest'
import { startServer } from '../e2e/server.ts'
import { fuzz } from './fuzz.ts'
import { fileOf, uploadCase } from './upload-case.ts'
import { sampleCases } from './cases.ts'
import { createBaseImages } from './base-images.ts'
import { malformed } from '../faults/failure-response.ts'
import { storedRegressions, replay } from './replay.ts'
import { violationOfUpload } from './upload-run.ts'
import { createFixtures, fixtureEnvironment } from './fixtures.ts'
import { formOf } from '../faults/client.ts'

/** The same in every run, so that a failure is caused by a change. */
const seed = 20_261_121

async function startTarget() {
  const server = await startServer({ env: fixtureEnvironment })
  onTestFinished(async () => void (await server.stop()))
  const set = await createBaseImages()
  const image = set.find(({ kind }) => kind === 'png')?.bytes ?? Buffer.alloc(0)
  const fixtures = await createFixtures(server.url, image, 0)
  return { url: server.url, fixtures, image, slowestMs: Infinity, token: fixtures.userToken, set }
}

test('300 mutated uploads and 200 unusual requests get valid responses', { timeout: 120_000 }, async () => {
  const findings = await fuzz({ seed, uploads: 300, requests: 200, form: 'short' })
  expect(findings.filter(({ holds }) => !holds)).toEqual([])
})

test(
  'every image of the base set is accepted, and every case that failed once passes',
  { timeout: 120_000 },
  async () => {
    const target = await startTarget()
    const rejected: string[] = []
    for (const { name, bytes } of target.set) {
      const violation = await violationOfUpload(
        target,
        { as: 'user', body: formOf(bytes) },
        {
          onResponse: ({ status, body }) => {
            if (status !== 201) rejected.push(`${name}: ${body.toString('utf8')}`)
          },
        },
      )
      if (violation !== undefined) rejected.push(`${name}: ${violation}`)
    }
    expect(rejected).toEqual([])

    const violations: string[] = []
    for (const name of await storedRegressions()) {
      const violation = await replay(name, target)
      if (violation !== undefined) violations.push(`${name}: ${violation}`)
    }
    expect(violations).toEqual([])
  },
)

describe('the fuzz harness', () => {
  test('the same seed yields the same cases, and another seed others', async () => {
    const set = await createBaseImages()
    const filesOf = (from: number) =>
      [...sampleCases(uploadCase, from, 20)].map(({ value }) => fileOf(value, set).toString('base64'))
    expect(filesOf(1)).toEqual(filesOf(1))
    expect(filesOf(1)).not.toEqual(filesOf(2))
  })

  test.each([
    [500, '{"error":"x","code":"busy"}'],
    [400, 'Bad Request'],
    [400, '{"error":"x"}'],
    [400, '{"error":"x","code":"toString"}'],
  ])('a malformed response is detected: %s %s', (status, body) => {
    expect(malformed({ status, body: Buffer.from(body) })).toBeDefined()
  })
})
