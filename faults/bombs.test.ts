import { describe, expect, it, onTestFinished } from 'vitest'
import { formatNames, formats } from '../contract/plain/formats.ts'
import { everyFormat, openFolder } from '../server/imaging/testing/folder.ts'
import { isImage, rasterBombs, svgBombs } from './bombs.ts'

const bombs = await rasterBombs()

describe('decompression bombs', () => {
  it('are small files that sharp reports as large images', async () => {
    for (const { name, file } of bombs.filter((bomb) => !/cut off|changed|65535/.test(bomb.name))) {
      expect(file.length, name).toBeLessThan(4_000_000)
      expect(await isImage(file), name).toBe(true)
    }
  })

  it('are accepted or rejected as expected, with a reason, before they cost anything', async () => {
    const { ingest, imaging, close } = await openFolder()
    onTestFinished(close)
    for (const { name, file, fate } of bombs.filter((bomb) => bomb.fate !== 'heavy')) {
      const outcome = await ingest(file).then(
        () => 'accepted',
        (error) => `${error.name}: ${error.message}`,
      )
      expect(outcome, name).toMatch(fate === 'accepted' ? /^accepted$/ : /^ImageRefused: \w+ /)
    }
    // Rejected by the scanner, not by the end of a decoder.
    expect(imaging.stats().ingest).toMatchObject({ kills: 0, deaths: 0 })
  })

  // Images of 49 MP take seconds of work each, so only the flood scenario sends them.
  it('take no longer than the limits allow when they are within the limits', { timeout: 240_000 }, async () => {
    const { ingest, imaging, close } = await openFolder()
    onTestFinished(close)
    const outcomes: Record<string, string> = {}
    for (const { name, file } of bombs.filter((bomb) => bomb.fate === 'heavy' && !/49 MP/.test(bomb.name))) {
      // Interrupted is what a busy machine does to it: then it is sent again, as clients do.
      do
        outcomes[name] = await ingest(file, everyFormat).then(
          ({ answer }) => `${answer.widthPx}`,
          (error) => error.name,
        )
      while (outcomes[name] === 'ImagingInterrupted')
    }
    expect(new Set(Object.values(outcomes).filter((outcome) => !/^\d+$/.test(outcome)))).toEqual(
      new Set(['ImageRefused']),
    )
    expect(imaging.stats().ingest.deaths).toBe(0)
  })

  it('number more than 150', () => {
    const all = [...bombs, ...svgBombs()]
    expect(all.length).toBeGreaterThan(150)
    const labels = formatNames.map((name) => formats[name].label)
    expect(labels.filter((label) => !all.some(({ name }) => name.startsWith(`${label}, `)))).toEqual([])
  })
})
