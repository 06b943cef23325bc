import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { lastRelease, notesOf, released, sectionProblems, versionAfter, versionProblem } from './changelog.mjs'

const changelog = readFileSync(new URL('../CHANGELOG.md', import.meta.url), 'utf8')
const short = '# Changelog\n\n## [Unreleased]\n\n### Fixed\n- A bug.\n\n## [0.1.0] - 2026-11-21\n\n### Added\n- All.\n'

it('every release in CHANGELOG.md has its sections in order, breaking changes first', () => {
  const releases = [...changelog.matchAll(/^## \[(.+?)\]/gm)].map(([, version = '']) => version)
  expect(releases.length).toBeGreaterThan(2)
  expect(releases.flatMap((version) => sectionProblems(notesOf(changelog, version)))).toEqual([])
})

it('finds unknown and misplaced sections', () => {
  expect(sectionProblems('### Fixed\n### Breaking\n')).toEqual([expect.stringContaining('order')])
  expect(sectionProblems('### Breaking\n### Broken\n')).toEqual([
    expect.stringContaining('"Broken"'),
    expect.stringContaining('order'),
  ])
  expect(sectionProblems('### Breaking\n- x\n### Security\n- y\n')).toEqual([])
})

it('reads the notes of a release', () => {
  expect(notesOf(short)).toBe('### Fixed\n- A bug.')
  expect(notesOf(short, '0.1.0')).toBe('### Added\n- All.')
  expect(() => notesOf(short, '0.2.0')).toThrow('nothing under [0.2.0]')
})

it('finds the last release, and names what comes after it', () => {
  expect(lastRelease(short)).toBe('0.1.0')
  expect([versionAfter('0.3.0'), versionAfter('1.9.4')]).toEqual(['0.4.0-dev', '1.10.0-dev'])
})

it('package.json has the version of the last release, or one that follows it', () => {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  const last = lastRelease(changelog)
  expect([last, versionAfter(last)]).toContain(version)
})

it('makes [Unreleased] a release', () => {
  const next = released(short, '0.1.1', '2026-12-01')
  expect(notesOf(next, '0.1.1')).toBe('### Fixed\n- A bug.')
  expect(() => notesOf(next)).toThrow('nothing under [Unreleased]')
  expect(notesOf(next, '0.1.0')).toBe('### Added\n- All.')
})

describe('the version', () => {
  it.each([
    ['0.2.0', '0.2.1', '### Fixed', undefined],
    ['0.2.0', '0.3.0', '### Breaking\n### Added', undefined],
    ['1.2.3', '2.0.0', '### Breaking', undefined],
    ['1.2.3', '1.3.0', '### Added', undefined],
    ['0.2.0', '0.2.1', '### Breaking', 'higher'],
    ['0.2.0', '0.2.1', '### Added', 'higher'],
    ['1.2.3', '1.3.0', '### Breaking', 'higher'],
    ['0.2.0', '0.2.0', '### Fixed', 'not after'],
    ['0.10.0', '0.9.0', '### Fixed', 'not after'],
    ['0.2.0', 'v0.3.0', '### Fixed', 'not a version'],
    ['0.2.0', '', '### Fixed', 'npm run release -- 1.2.3'],
  ])('after %s, %s with %j: %s', (current, next, notes, problem) => {
    const found = versionProblem(current, next, notes)
    if (problem === undefined) expect(found).toBeUndefined()
    else expect(found).toContain(problem)
  })
})
