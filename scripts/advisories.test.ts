// The check for known vulnerabilities, against a real server that speaks the audit endpoint of a registry, and against a stored list.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { createGunzip } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { checkAdvisories, printFindings } from './advisories.mjs'
import { compare, findAdvisories } from './osv.mjs'

let folder: string
let printed: string[]
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'image-host-advisories-'))
  printed = []
  vi.spyOn(console, 'log').mockImplementation((line: string) => void printed.push(line))
})
afterEach(async () => {
  vi.restoreAllMocks()
  await rm(folder, { recursive: true })
})

/** Responds to every POST with `answer`. @returns the request and the result of the check */
async function checkWith(answer: { status: number; body: unknown }, list?: unknown) {
  let asked: Record<string, string[]> = {}
  const listener: RequestListener = (request, response) => {
    const say = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (request.method !== 'POST') return void say(404, {})
    void json(request.headers['content-encoding'] === 'gzip' ? request.pipe(createGunzip()) : request).then((body) => {
      asked = body as typeof asked
      say(answer.status, answer.body)
    })
  }
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const file = join(folder, 'advisories.json')
  if (list !== undefined) await writeFile(file, JSON.stringify(list))
  try {
    const { port } = server.address() as AddressInfo
    const env = { npm_config_registry: `http://127.0.0.1:${port}`, npm_config_cache: join(folder, 'cache') }
    const checked = await checkAdvisories({ file, env })
    const isFine = printFindings(checked)
    return { asked, checked, isFine, port }
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const vulnerability = (severity: string) => ({
  fastify: [{ id: 1, url: 'https://example.com/GHSA-1', title: 'A flaw', severity, vulnerable_versions: '*', cwe: [] }],
})
const stored = (name: string, range: object, severity = 'HIGH') => ({
  id: 'GHSA-2',
  summary: 'Another flaw',
  affected: [
    { package: { ecosystem: 'npm', name }, ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }, range] }] },
  ],
  database_specific: { severity },
})

describe('a registry with advisories', { timeout: 60_000 }, () => {
  it('is queried for production dependencies only, with their versions', async () => {
    const { asked, isFine } = await checkWith({ status: 200, body: {} })
    expect(asked).toMatchObject({ fastify: ['5.12.8'], sharp: ['0.35.5'] })
    expect(asked).not.toHaveProperty('vitest')
    expect([isFine, printed]).toEqual([true, ['0 known by the registry.']])
  })

  it('with a high severity vulnerability fails the check', async () => {
    const { isFine } = await checkWith({ status: 200, body: vulnerability('high') })
    expect(isFine).toBe(false)
    expect(printed.join('\n')).toMatch(/^high: fastify .*A flaw.*\n1 known by the registry\.$/)
  })
})

describe('a registry without advisories', { timeout: 60_000 }, () => {
  it('and without a stored list: reports that nothing was checked, without naming it', async () => {
    const { isFine, port } = await checkWith({ status: 405, body: { error: 'no' } })
    expect(isFine).toBe(true)
    expect(printed).toEqual([
      expect.stringMatching(/^Nothing was checked: the registry serves no advisories \(405\), /),
    ])
    expect(printed.join()).not.toContain(String(port))
  })

  it('falls back to the stored list', async () => {
    const list = { vulns: [stored('fastify', { fixed: '99.0.0' }), stored('vitest', { fixed: '99.0.0' })] }
    const { isFine } = await checkWith({ status: 404, body: {} }, list)
    expect(isFine).toBe(false)
    expect(printed[0]).toBe('high: fastify (5.12.8): Another flaw GHSA-2')
    expect(printed[1]).toMatch(/^1 known by .*advisories\.json\.$/)
  })
})

it.each([
  ['critical', false],
  ['high', false],
  // A list need not say how grave a vulnerability is.
  ['unknown', false],
  ['moderate', true],
  ['low', true],
])('a vulnerability that is %s', (severity, expected) => {
  const finding = { id: 'GHSA-3', name: 'a', version: '1.0.0', severity, summary: 'A flaw' }
  expect(printFindings({ source: 'a list', findings: [finding] })).toBe(expected)
})

describe('a stored advisory', () => {
  const packages = [{ name: 'a', version: '2.3.4' }]
  const found = (advisory: object) => findAdvisories([advisory], packages).length === 1

  it.each([
    [{ fixed: '2.3.5' }, true],
    [{ fixed: '2.3.4' }, false],
    [{ last_affected: '2.3.4' }, true],
    [{ last_affected: '2.3.3' }, false],
    [{ fixed: '2.4.0-rc.1' }, true],
  ])('with %j', (range, expected) => expect(found(stored('a', range))).toBe(expected))

  it.each([{ vulnerabilities: [] }, [{}], 'text', null])('that is none is an error: %j', (list) =>
    expect(() => findAdvisories(list, packages)).toThrow(/advisor/),
  )

  it('of two ranges, of a list of versions, of another ecosystem, withdrawn', () => {
    const events = [{ introduced: '0' }, { fixed: '1.0.0' }, { introduced: '2.0.0' }, { fixed: '2.5.0' }]
    const npm = { ecosystem: 'npm', name: 'a' }
    const affected = [{ package: npm, ranges: [{ type: 'SEMVER', events }] }]
    expect(found({ id: 'x', affected })).toBe(true)
    expect(found({ id: 'x', affected: [{ package: npm, versions: ['2.3.4'] }] })).toBe(true)
    expect(found({ id: 'x', affected: [{ package: npm, ranges: [{ type: 'GIT', events }] }] })).toBe(false)
    expect(found({ id: 'x', affected: [{ ...affected[0], package: { ...npm, ecosystem: 'PyPI' } }] })).toBe(false)
    expect(found({ id: 'x', affected, withdrawn: '2026-01-01T00:00:00Z' })).toBe(false)
  })
})

it('versions come in the order of https://semver.org section 11', () => {
  const sorted = [
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-alpha.beta',
    '1.0.0-beta.2',
    '1.0.0-beta.11',
    '1.0.0',
    '1.10.0',
  ]
  expect(sorted.toReversed().toSorted(compare)).toEqual(sorted)
  expect(compare('1.0.0+a', '1.0.0+b')).toBe(0)
})
