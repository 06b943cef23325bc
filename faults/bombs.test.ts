import { describe, expect, it, onTestFinished } from 'vitest'
import { everyFormat, openFolder } from '../server/imaging/testing/folder.ts'
import { isPicture, rasterBombs, svgBombs } from './bombs.ts'

const bombs = await rasterBombs()

describe('the bombs', () => {
  it('are small files of large pictures, as any library sees them', async () => {
    for (const { name, file } of bombs.filter((bomb) => !/cut off|changed|65535/.test(bomb.name))) {
      expect(file.length, name).toBeLessThan(4_000_000)
      expect(await isPicture(file), name).toBe(true)
    }
  })

  it('meet their fate, with the reason in words, before they cost anything', async () => {
    const { ingest, imaging, close } = await openFolder()
    onTestFinished(close)
    for (const { name, file, fate } of bombs.filter((bomb) => bomb.fate !== 'heavy')) {
      const outcome = await ingest(file).then(
        () => 'accepted',
        (error) => `${error.name}: ${error.message}`,
      )
      expect(outcome, name).toMatch(fate === 'accepted' ? /^accepted$/ : /^ImageRefused: \w+ /)
    }
    // Not by the decoder's end: by what the scanner saw.
    expect(imaging.stats().ingest).toMatchObject({ kills: 0, deaths: 0 })
  })

  // Those of 49 MP are left to the flood itself: seconds of work each.
  it('that are within the limits take no longer than those allow', { timeout: 60_000 }, async () => {
    const { ingest, imaging, close } = await openFolder({ answerWithinMs: 20_000 })
    onTestFinished(close)
    const outcomes: Record<string, string> = {}
    for (const { name, file } of bombs.filter((bomb) => bomb.fate === 'heavy' && !/49 MP/.test(bomb.name))) {
      outcomes[name] = await ingest(file, everyFormat).then(
        ({ answer }) => `${answer.widthPx}`,
        (error) => error.name,
      )
    }
    expect(new Set(Object.values(outcomes).filter((outcome) => !/^\d+$/.test(outcome)))).toEqual(
      new Set(['ImageRefused']),
    )
    expect(imaging.stats().ingest.deaths).toBe(0)
  })

  it('are of every kind', () => {
    expect(bombs.length + svgBombs().length).toBeGreaterThan(150)
  })
})
