// SVGs through real decoder processes: raster sizes, resource limits, and which process may render SVGs.

import { readdirSync, readFileSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { limits } from '../../../../contract/plain/limits.ts'
import {
  ImageRefused,
  ImagingBusy,
  ImagingInterrupted,
  type ImagingOptions,
  type JobContext,
} from '../../pool/imaging.ts'
import { Lane } from '../../pool/lane.ts'
import { DecayingUsage } from '../../../concurrency/decaying-usage.ts'
import { contextFor, decoderEntry, everyFormat, openFolder } from '../../testing/folder.ts'
import { animation, handJpeg, handPng, insertAt, photo } from '../../testing/hand-made-images.ts'
import { sanitizeSvg } from './sanitize.ts'
import { benignSvgs } from './testing/benign.ts'

const { rasterPx } = limits.image
const svg = (body: string, width: number, height = width) =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 100 100" preserveAspectRatio="none">${body}</svg>`,
  )
const halves = '<rect width="50" height="100" fill="#0a0"/>'
/** Each intermediate result is held until the filter is done: 4 bytes per pixel. */
const memoryHog = (results: number, sidePx: number) =>
  svg(
    `<filter id="f" x="0" y="0" width="1" height="1">${Array.from({ length: results }, (_, i) => `<feFlood flood-color="#0a0" result="r${i}"/>`).join('')}</filter><rect width="100" height="100" filter="url(#f)"/>`,
    sidePx,
  )
/** Passes every limit of the sanitizer and takes a renderer 16 s. */
const timeHog = svg(
  `<filter id="f" x="0" y="0" width="1" height="1">${Array.from({ length: 60 }, (_, i) => `<feGaussianBlur stdDeviation="${(i % 9) + 1}"/>`).join('')}</filter><rect width="100" height="100" filter="url(#f)"/>`,
  2000,
)

let folder: Awaited<ReturnType<typeof openFolder>>
async function open(options: ImagingOptions = {}) {
  folder = await openFolder(options)
  return {
    ...folder,
    ingestSvg: (file: Buffer, context?: JobContext) => folder.ingest(file, [...everyFormat, 'svg'], context),
  }
}
const outputs = async () => (await readdir(folder.folder)).filter((name) => !name.endsWith('.source'))

describe('an SVG that is ingested', () => {
  // Shared: each start of a decoder costs more than most of the tests.
  let ingestSvg: Awaited<ReturnType<typeof open>>['ingestSvg']
  beforeAll(async () => {
    ;({ ingestSvg } = await open())
  })
  afterAll(() => folder.close())
  const embedding = (file: Buffer, format: string) =>
    svg(`<image width="90" height="90" href="data:image/${format};base64,${file.toString('base64')}"/>`, 90)

  it.each([
    ['JPEG cut off', 'jpeg', async () => closed(await photo(61, 43).jpeg().toBuffer())],
    [
      'progressive JPEG cut off',
      'jpeg',
      async () => closed(await photo(61, 43).jpeg({ progressive: true }).toBuffer()),
    ],
    ['JPEG with restart markers out of context', 'jpeg', () => outOfOrder(handJpeg({ restartEvery: 8 }))],
    ['PNG with too few rows', 'png', () => handPng({ widthPx: 64, heightPx: 64 })],
    ['GIF without data', 'gif', async () => emptied(await photo(61, 43).gif().toBuffer())],
  ])('is refused when an embedded image is damaged: %s', async (_, format, make) => {
    await expect(ingestSvg(embedding(await make(), format))).rejects.toMatchObject({
      name: 'ImageRefused',
      reason: 'broken',
      message: expect.stringMatching('a picture inside the SVG'),
    })
  })
  const eoi = Buffer.from([0xff, 0xd9])
  const closed = (file: Buffer) => Buffer.concat([file.subarray(0, file.length - 200), eoi])
  const outOfOrder = (file: Buffer) => {
    file.writeUInt8(0xd3, file.indexOf(Buffer.from([0xff, 0xd0])) + 1)
    return file
  }
  const emptied = (file: Buffer) => Buffer.concat([file.subarray(0, file.length / 2), Buffer.from([0, 0x3b])])

  it('is accepted when every embedded image decodes', async () => {
    const makers = {
      jpeg: () => photo(61, 43).jpeg().toBuffer(),
      png: () => photo(61, 43, 4).png({ progressive: true }).toBuffer(),
      webp: () => animation('webp'),
      gif: () => animation('gif'),
    }
    for (const [format, make] of Object.entries(makers)) {
      const { answer } = await ingestSvg(embedding(await make(), format))
      expect(answer.format).toBe('svg')
    }
  })

  it('is stored with the bytes that were verified: a JPEG without the bytes before its end marker', async () => {
    const plain = await photo(61, 43).jpeg({ progressive: true }).toBuffer()
    const tail = Buffer.alloc(5000, 'trailing bytes')
    const { original } = await ingestSvg(embedding(insertAt(plain, plain.length - 2, tail), 'jpeg'))
    const [, coded = ''] = /base64,([^"]*)"/.exec(original.toString()) ?? []
    const stored = Buffer.from(coded, 'base64')
    expect(stored.includes('trailing bytes')).toBe(false)
    expect(stored.length).toBeLessThan(plain.length + 100)
    expect(await sharp(stored, { failOn: 'warning' }).metadata()).toMatchObject({ width: 61, height: 43 })
    await expect(sharp(stored, { failOn: 'warning' }).raw().toBuffer()).resolves.toBeInstanceOf(Buffer)
    expect(sanitizeSvg(original).svg.equals(original)).toBe(true)
  })

  it('is stored as the sanitizer writes it, with a raster that looks like it', async () => {
    for (const [name, source] of Object.entries(await benignSvgs())) {
      const { answer, original, thumbnail, intermediate } = await ingestSvg(Buffer.from(source))
      const clean = sanitizeSvg(Buffer.from(source))
      expect(original.equals(clean.svg), name).toBe(true)
      expect(answer, name).toMatchObject({
        format: 'svg',
        widthPx: clean.widthPx,
        heightPx: clean.heightPx,
        frames: 1,
        hasAlpha: true,
        bytes: original.length,
        intermediate: { format: 'png' },
      })
      const raster = await sharp(intermediate as Buffer)
        .raw()
        .toBuffer({ resolveWithObject: true })
      expect([raster.info.width, raster.info.height, raster.info.channels]).toEqual([clean.widthPx, clean.heightPx, 4])
      expect(raster.data.equals(await sharp(original).raw().toBuffer()), name).toBe(true)
      const { width, height, hasAlpha } = await sharp(thumbnail).metadata()
      expect(Math.max(width, height)).toBeLessThanOrEqual(limits.variant.thumbnailPx)
      expect(hasAlpha).toBe(!(await sharp(intermediate as Buffer).stats()).isOpaque)
    }
    expect(folder.imaging.stats().svg).toMatchObject({ kills: 0, deaths: 0 })
  })

  it.each([
    [24, 24, 24, 24],
    [1, 1, 1, 1],
    [rasterPx, rasterPx, rasterPx, rasterPx],
    [4000, 2000, rasterPx, rasterPx / 2],
    [7071, 7071, rasterPx, rasterPx],
    [16_383, 1, rasterPx, 1],
    [2, 16_383, 1, rasterPx],
    [2001, 1999, rasterPx, 1998],
  ])('of %i x %i is rasterized at %i x %i', async (width, height, rasterWidth, rasterHeight) => {
    const { answer, intermediate } = await ingestSvg(svg(halves, width, height))
    expect([answer.widthPx, answer.heightPx]).toEqual([width, height])
    const { data, info } = await sharp(intermediate as Buffer)
      .raw()
      .toBuffer({ resolveWithObject: true })
    expect([info.width, info.height]).toEqual([rasterWidth, rasterHeight])
    if (rasterWidth < 2) return
    const row = Math.floor(rasterHeight / 2) * rasterWidth * 4
    expect([...data.subarray(row, row + 4)]).toEqual([0, 0xaa, 0, 255])
    expect(data[row + rasterWidth * 4 - 1]).toBe(0)
  })

  it('is rasterized again with the same result', async () => {
    const { answer, original, intermediate } = await ingestSvg(svg(halves, 3000, 1000))
    const [sourcePath, outPath] = [join(folder.folder, 'stored'), join(folder.folder, 'raster')]
    await writeFile(sourcePath, original)
    await folder.imaging.rasterize({ sourcePath, outPath, widthPx: answer.widthPx, heightPx: answer.heightPx })
    expect((await readFile(outPath)).equals(intermediate as Buffer)).toBe(true)
  })

  it.each([
    ['no SVG beyond its first tag', 'broken', Buffer.from('<svg and then something else')],
    ['of no namespace', 'unsupported', Buffer.from('<svg width="9" height="9"></svg>')],
    ['larger than 2 MiB', 'over_limit', svg(`<!--${' '.repeat(2 ** 21)}-->`, 9)],
  ])('is refused when it is %s', async (_, reason, file) => {
    const before = await outputs()
    await expect(ingestSvg(file)).rejects.toMatchObject({ name: 'ImageRefused', reason })
    expect(await outputs()).toEqual(before)
  })
})

describe('an SVG that exceeds a limit', () => {
  afterEach(() => folder.close())

  it('of time is killed, retried at half size, and refused; the next one is served', async () => {
    const { ingestSvg, imaging } = await open({ lanes: { svg: { cpuLimitMs: 1000 } } })
    await expect(ingestSvg(timeHog)).rejects.toEqual(new ImageRefused('over_limit', 'it takes too long to draw'))
    expect(await outputs()).toEqual([])
    expect((await ingestSvg(svg(halves, 9))).answer.widthPx).toBe(9)
    expect(imaging.stats().svg).toMatchObject({ jobs: 3, kills: 2, deaths: 0, alive: 1 })
  })

  it('of time gets its response in time, like the ones queued behind it', async () => {
    const { ingestSvg, imaging } = await open({ jobTimeLimitMs: 4500 })
    const answers = await Promise.allSettled(
      Array.from({ length: 4 }, () => ingestSvg(timeHog, imaging.jobContext('hog'))),
    )
    expect(answers.every(({ status }) => status === 'rejected')).toBe(true)
    // Without the deadline each of the four would get two attempts.
    expect(imaging.stats().svg.jobs).toBeLessThan(8)
  })

  it('of memory is rasterized at half size', async () => {
    const { ingestSvg, imaging } = await open()
    const { answer, intermediate } = await ingestSvg(memoryHog(45, 2000))
    expect([answer.widthPx, answer.heightPx]).toEqual([2000, 2000])
    expect(await sharp(intermediate as Buffer).metadata()).toMatchObject({ width: 1000, height: 1000 })
    expect(imaging.stats().svg).toMatchObject({ jobs: 2, kills: 1 })
  })

  it('of memory even at half size is refused', async () => {
    const { ingestSvg } = await open({ lanes: { svg: { memoryLimitBytes: 130_000_000 } } })
    await expect(ingestSvg(memoryHog(60, 2000))).rejects.toEqual(
      new ImageRefused('over_limit', 'it takes too much memory to draw'),
    )
    expect(await outputs()).toEqual([])
  })

  it('when it is rasterized again is an error, not a refusal', async () => {
    const { imaging } = await open({ lanes: { svg: { cpuLimitMs: 100 } } })
    const sourcePath = join(folder.folder, 'stored.source')
    await writeFile(sourcePath, sanitizeSvg(timeHog).svg)
    const job = { sourcePath, outPath: join(folder.folder, 'raster'), widthPx: 2000, heightPx: 2000 }
    await expect(imaging.rasterize(job)).rejects.toEqual(new ImagingInterrupted('the image took too long to render'))
    expect(await outputs()).toEqual([])
  })
})

describe('the lane for SVGs', () => {
  afterEach(() => folder.close())

  const tuning = {
    processes: 1,
    maxWaitMs: 10_000,
    typicalJobMs: 50,
    maxRunMs: 15_000,
    niceness: 0,
    cpuLimitMs: 9000,
    log: () => {},
  }
  const limitless = {
    memoryLimitBytes: Infinity,
    recycleAfterJobs: 99,
    recycleAboveBytes: Infinity,
    maxIdleMs: 10_000,
    maxLastIdleMs: Infinity,
  }
  const openLane = (decodes: 'pixels' | 'svg') =>
    new Lane({
      ...tuning,
      ...limitless,
      name: 'hand',
      entry: decoderEntry,
      decodes,
      usage: new DecayingUsage(),
    })

  it('is the only one that renders SVGs, and renders nothing else', async () => {
    await open()
    const paths = { sourcePath: join(folder.folder, 'svg'), outPath: join(folder.folder, 'out') }
    const pngPath = join(folder.folder, 'png')
    await writeFile(paths.sourcePath, sanitizeSvg(svg(halves, 40)).svg)
    await writeFile(pngPath, await photo().png().toBuffer())
    const rasterize = { kind: 'rasterize', job: { ...paths, widthPx: 40, heightPx: 40, scale: 1 } } as const
    const inspect = (sourcePath: string) => ({ kind: 'inspect', job: { sourcePath } }) as const
    const [pixels, drawings] = [openLane('pixels'), openLane('svg')]
    const context = contextFor('')
    try {
      expect(await drawings.run(rasterize, context)).toEqual({ kind: 'done', value: null })
      expect(await pixels.run(rasterize, context)).toMatchObject({ kind: 'failed' })
      expect(await pixels.run(inspect(paths.sourcePath), context)).toMatchObject({ kind: 'failed' })
      expect(await pixels.run(inspect(pngPath), context)).toMatchObject({ kind: 'done' })
      expect(await drawings.run(inspect(pngPath), context)).toMatchObject({ kind: 'failed' })
    } finally {
      await Promise.all([pixels.close(), drawings.close()])
    }
  })

  it('is bounded: one running, two queued, further jobs are busy', async () => {
    const { ingestSvg, imaging } = await open({ lanes: { svg: { maxWaitMs: 100, typicalJobMs: 50 } } })
    await ingestSvg(svg(halves, 9))
    const answers = await Promise.allSettled(Array.from({ length: 8 }, () => ingestSvg(memoryHog(9, 1500))))
    const busy = answers.filter((answer) => answer.status === 'rejected')
    expect(busy.length).toBeGreaterThan(0)
    for (const answer of busy) expect(answer.reason).toBeInstanceOf(ImagingBusy)
    expect(answers.length - busy.length).toBeGreaterThanOrEqual(3)
    expect(imaging.stats().svg.refusedAsBusy).toBe(busy.length)
  })

  it('is not retried at half size when parsing exceeded the time', async () => {
    const { ingestSvg, imaging } = await open({ lanes: { svg: { cpuLimitMs: 100 } } })
    const file = svg('<g style="fill:red;stroke:rgb(1,2,3)"/>'.repeat(19_000).replaceAll('red', 'red'.repeat(20)), 40)
    await expect(ingestSvg(file)).rejects.toMatchObject({ name: 'ImageRefused', reason: 'over_limit' })
    expect(imaging.stats().svg).toMatchObject({ jobs: 1, kills: 1 })
    expect(await outputs()).toEqual([])
  })

  it('starts with the first SVG, at the lowest priority', async () => {
    const { ingestSvg, imaging } = await open()
    imaging.warmIngest()
    expect(imaging.stats().svg.alive).toBe(0)
    await ingestSvg(svg(halves, 9))
    expect(imaging.stats().svg.alive).toBe(1)
    expect(nicenessOfDrawers()).toEqual(new Set([18]))
  })

  it('finishes jobs that the ingest lane reroutes during shutdown', async () => {
    const { ingestSvg, imaging } = await open()
    const job = ingestSvg(svg(halves, 40))
    await expect.poll(() => imaging.stats().ingest.running, { interval: 1 }).toBe(1)
    await imaging.close()
    expect((await job).answer.widthPx).toBe(40)
    expect(imaging.stats().svg).toMatchObject({ alive: 0, jobs: 1 })
  })
})

/** Of each thread of the child processes that render SVGs. */
function nicenessOfDrawers(): Set<number> {
  const fields = (path: string) => {
    const stat = readFileSync(path, 'latin1')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  }
  const found = new Set<number>()
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const isDrawer = readFileSync(`/proc/${pid}/cmdline`, 'latin1').endsWith('decoder/main.js\0svg\0')
      if (!isDrawer || Number(fields(`/proc/${pid}/stat`)[1]) !== process.pid) continue
      for (const task of readdirSync(`/proc/${pid}/task`))
        found.add(Number(fields(`/proc/${pid}/task/${task}/stat`)[16]))
    } catch {
      // ended meanwhile
    }
  }
  return found
}
