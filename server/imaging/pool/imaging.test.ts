// Decoder processes that are slow, killed, stopped, overloaded, old or orphaned.

import { fork } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { access, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import sharp from 'sharp'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  DecoderUnavailable,
  ImageRefused,
  ImagingBusy,
  ImagingInterrupted,
  type ImagingOptions,
  openImaging,
} from './imaging.ts'
import { readProcess } from './process-state.ts'
import { contextFor, decoderEntry, everyFormat, openFolder } from '../testing/folder.ts'
import { photo } from '../testing/hand-made-images.ts'

const small = await photo(40, 40).png().toBuffer()
/** Half a second of work. */
const slow = await photo(3000, 3000, 4).png({ compressionLevel: 1 }).toBuffer()
/** Of more pixels than the lane of ordinary uploads decodes. */
const large = await photo(4400, 3000).jpeg().toBuffer()

/** For what happens at some time, however busy the machine is. */
const patience = { timeout: 45_000, interval: 5 }

let folder: Awaited<ReturnType<typeof openFolder>>
afterEach(() => folder.close())
const open = async (options: ImagingOptions = {}) => (folder = await openFolder(options))

/** The decoder processes of a process (by default this one), as Linux lists them. */
function decoders(parent = process.pid): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
        const ppid = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
        return ppid === parent && readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('imaging/decoder/main')
      } catch {
        return false
      }
    })
}

/** The only decoder process of a parent, after it has worked for 0.1 s. */
async function working(parent = process.pid): Promise<number> {
  const before = new Map<number, number>()
  return vi.waitFor(() => {
    for (const pid of decoders(parent)) {
      const cpuMs = readProcess(pid)?.cpuMs ?? 0
      if (!before.has(pid)) before.set(pid, cpuMs)
      if (cpuMs - (before.get(pid) ?? 0) >= 100) return pid
    }
    throw new Error('nobody is at work yet')
  }, patience)
}

/** The only decoder process except the known ones, after it has begun to decode: its start takes 60 ms, twice that when busy. */
async function startedBeside(known: number[]): Promise<number> {
  return vi.waitFor(() => {
    const pid = decoders().find((each) => !known.includes(each))
    if (!pid || (readProcess(pid)?.cpuMs ?? 0) < 250) throw new Error('it is not at work yet')
    return pid
  }, patience)
}

/** A zombie counts as ended: where orphans are not reaped, as in many containers, it stays listed. */
function isAlive(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'latin1').includes(') Z ')
  } catch {
    return false
  }
}

describe('a job that is too slow', () => {
  it('is killed by its CPU time; the next one is served', async () => {
    const { ingest, imaging } = await open({ lanes: { ingest: { cpuLimitMs: 150 } } })
    await expect(ingest(slow)).rejects.toEqual(new ImageRefused('over_limit', 'it takes too long to decode'))
    expect((await ingest(small)).answer.widthPx).toBe(40)
    expect(imaging.stats().ingest).toMatchObject({ jobs: 2, kills: 1, alive: 1 })
    expect((await readdir(folder.folder)).filter((name) => !name.endsWith('.source'))).toHaveLength(3)
  })

  it('is killed at its deadline, whatever its CPU time, and the image is not refused', async () => {
    const { ingest, imaging } = await open()
    // Its process is there: on a busy machine one starts within seconds.
    await ingest(small)
    const context = { ...contextFor('one', 300), startByMs: performance.now() + 60_000 }
    await expect(ingest(slow, everyFormat, context)).rejects.toEqual(
      new ImagingInterrupted('there was no time left for the image'),
    )
    expect(imaging.stats().ingest).toMatchObject({ kills: expect.any(Number), deaths: 0 })
  })

  it('is an error when it is a render', async () => {
    const { render, imaging } = await open({ lanes: { transform: { cpuLimitMs: 150 } } })
    await expect(render(slow, { format: 'png' })).rejects.toEqual(
      new ImagingInterrupted('the image took too long to render'),
    )
    expect((await render(small)).answer.widthPx).toBe(40)
    expect(imaging.stats().transform).toMatchObject({ kills: 1 })
  })
})

describe('a process that is', () => {
  it('killed during an ingest: the upload is refused, no file is left, the next one is served', async () => {
    const { ingest, imaging } = await open()
    await ingest(small)
    const job = ingest(slow)
    process.kill(await working(), 'SIGKILL')
    await expect(job).rejects.toEqual(new ImageRefused('broken', 'the image crashes the decoder'))
    expect((await readdir(folder.folder)).filter((name) => name.startsWith('1.'))).toEqual(['1.source'])
    expect((await ingest(small)).answer.widthPx).toBe(40)
    expect(imaging.stats().ingest).toMatchObject({ deaths: 1, kills: 0, alive: 1 })
  })

  it('killed during a render: the job fails, the next one is served', async () => {
    const { render } = await open({ lanes: { transform: { processes: 1 } } })
    await render(small)
    const job = render(slow, { format: 'png' })
    process.kill(await working(), 'SIGKILL')
    await expect(job).rejects.toEqual(new ImagingInterrupted('a decoder process died while it worked'))
    expect((await render(small)).answer.widthPx).toBe(40)
  })

  it('stopped (SIGSTOP) during a job counts as too slow at once', async () => {
    const { ingest, imaging } = await open()
    await ingest(small)
    const job = ingest(slow)
    process.kill(await working(), 'SIGSTOP')
    await expect(job).rejects.toMatchObject({ reason: 'over_limit' })
    // One attempt only: a job over its limit is not retried.
    expect(imaging.stats().ingest).toMatchObject({ jobs: 2, kills: 1 })
  })

  it.each(['SIGKILL', 'SIGSTOP'] as const)('hit by %s while idle: the next job does not notice', async (signal) => {
    const { ingest, imaging } = await open()
    await ingest(small)
    for (const pid of decoders()) process.kill(pid, signal)
    expect((await ingest(small)).answer.widthPx).toBe(40)
    expect(imaging.stats().ingest.alive).toBe(1)
  })

  it('impossible to start: every job ends with an error', async () => {
    const logged: unknown[] = []
    const { ingest, render, imaging } = await open({
      decoderEntry: new URL('file:///nowhere/main.js'),
      log: (event, level) => logged.push([level, event]),
    })
    await imaging.requireDecoder() // nothing is known yet
    const text = "The decoder cannot start: Error: Cannot find module '/nowhere/main.js'. Install the package again"
    for (const run of [() => ingest(small), () => render(small), imaging.selfTest, imaging.requireDecoder])
      await expect(run()).rejects.toThrow(text)
    await expect(ingest(small)).rejects.toBeInstanceOf(DecoderUnavailable)
    expect(logged).toContainEqual(['error', expect.objectContaining({ event: 'decoder_cannot_start' })])
  })

  it('old or large is replaced between jobs', async () => {
    const { render, imaging } = await open({ lanes: { transform: { processes: 1, recycleAfterJobs: 2 }, ingest: {} } })
    const pids = new Set<number>()
    for (let i = 0; i < 4; i++) {
      await render(small)
      for (const pid of decoders()) pids.add(pid)
    }
    expect(imaging.stats().transform).toMatchObject({ jobs: 4, recycled: 2, deaths: 0 })
    expect(pids.size).toBe(2)
    const fat = await openFolder({ lanes: { transform: { recycleAboveBytes: 1 } } })
    await fat.render(small)
    expect(fat.imaging.stats().transform.recycled).toBe(1)
    await fat.close()
  })
})

describe('the queue', () => {
  it('is bounded by the expected wait: further jobs get busy, queued ones are served', async () => {
    const { render, imaging } = await open({ lanes: { transform: { processes: 2, maxWaitMs: 60, typicalJobMs: 40 } } })
    const answers = await Promise.allSettled(Array.from({ length: 10 }, () => render(small)))
    const busy = answers.filter((answer) => answer.status === 'rejected')
    expect(busy.length).toBe(5)
    for (const answer of busy) expect(answer.reason).toBeInstanceOf(ImagingBusy)
    expect(imaging.stats().transform).toMatchObject({ queued: 0, running: 0, alive: 2, jobs: 5, refusedAsBusy: 5 })
  })

  it('is fair: the caller with the least recent usage is next, and a full queue rejects jobs of the caller with the most', async () => {
    const { ingest, imaging } = await open({ lanes: { ingest: { processes: 1, maxWaitMs: 300, typicalJobMs: 100 } } })
    const done: string[] = []
    const as = (caller: string, file: Buffer) =>
      ingest(file, everyFormat, contextFor(caller)).then(
        () => done.push(caller),
        (error) => done.push(`${caller} ${error.name}`),
      )
    const flood = [as('flood', slow), as('flood', slow), as('flood', slow), as('flood', slow)]
    await expect.poll(() => imaging.stats().ingest).toMatchObject({ running: 1, queued: 3 })
    await Promise.all([...flood, as('good', small)])
    // In the order in which their files were read, the first two of those done may have changed places.
    expect([done[0], ...done.slice(1, 3).toSorted()]).toEqual(['flood ImagingBusy', 'flood', 'good'])
  })

  it('counts usage of all upload lanes: a caller who sent a large image comes after one who sent none', async () => {
    const { ingest, imaging } = await open({ lanes: { ingest: { processes: 1 } } })
    const done: string[] = []
    const as = (caller: string, file: Buffer) =>
      ingest(file, everyFormat, contextFor(caller)).then(() => done.push(caller))
    await as('often', large)
    const first = as('other', slow)
    await expect.poll(() => imaging.stats().ingest.running).toBe(1)
    const often = as('often', small)
    await expect.poll(() => imaging.stats().ingest.queued).toBe(1)
    await Promise.all([first, often, as('new', small)])
    // The slow job occupies the lane; it does not matter when the test reads its files.
    expect(done.filter((caller) => caller !== 'other')).toEqual(['often', 'new', 'often'])
  })

  it('accepts forty small SVGs of one caller at once and draws them in order', async () => {
    const { imaging, folder: path } = await open({ lanes: { ingest: { processes: 1 } } })
    const files = await Promise.all(
      Array.from({ length: 40 }, async (_, n) => {
        const file = join(path, `icon-${n}`)
        await writeFile(
          file,
          `<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24"><path d="M2 ${n}h9"/></svg>`,
        )
        return file
      }),
    )
    const done: number[] = []
    const context = imaging.jobContext('one')
    await Promise.all(
      files.map(async (file, n) => {
        const outputs = {
          originalPath: `${file}.o`,
          thumbnailPath: `${file}.t`,
          listThumbnailPath: `${file}.l`,
          intermediatePath: `${file}.i`,
        }
        await imaging.ingest({ sourcePath: file, allow: ['svg'], ...outputs }, context)
        done.push(n)
      }),
    )
    // The hash of one file may be ready after that of the next.
    expect(done.filter((n, at) => Math.abs(n - at) > 1)).toEqual([])
    expect(imaging.stats()).toMatchObject({ ingest: { refusedAsBusy: 0 }, svg: { jobs: 40, refusedAsBusy: 0 } })
  })

  it('remembers who joined a job before it is queued', async () => {
    const { imaging } = await open()
    const context = imaging.jobContext('one')
    imaging.join(context, 'another')
    expect([...context.joined]).toEqual(['another'])
  })

  it('rejects a job with busy when too little time is left to run it', async () => {
    const { ingest, imaging } = await open({ lanes: { ingest: { processes: 1 } } })
    const first = ingest(slow)
    await expect.poll(() => imaging.stats().ingest.running).toBe(1)
    const late = ingest(small, everyFormat, contextFor('late', 510))
    await expect(late).rejects.toBeInstanceOf(ImagingBusy)
    expect(imaging.stats().ingest).toMatchObject({ running: 1, queued: 0, refusedAsBusy: 1 })
    await first
  })

  it('of uploads has a second process while nothing else runs, which ends when it is idle', async () => {
    const { ingest, render, imaging } = await open({ lanes: { ingest: { processes: 2, maxIdleMs: 100 } } })
    const both = [ingest(slow), ingest(slow)]
    await expect.poll(() => imaging.stats().ingest).toMatchObject({ running: 2, queued: 0 })
    await Promise.all(both)
    await expect.poll(() => imaging.stats().ingest.alive).toBe(1)
    const rendered = render(slow, { format: 'png' })
    await expect.poll(() => imaging.stats().transform.running).toBe(1)
    const uploads = [ingest(slow), ingest(slow)]
    await expect.poll(() => imaging.stats().ingest).toMatchObject({ running: 1, queued: 1 })
    await Promise.all([rendered, ...uploads])
  })

  it('of large images is separate', async () => {
    const { ingest, imaging } = await open()
    const interlaced = await photo(2200, 2000).png({ progressive: true, compressionLevel: 1 }).toBuffer()
    expect((await ingest(large)).answer).toMatchObject({ widthPx: 4400, heightPx: 3000 })
    expect((await ingest(interlaced)).answer).toMatchObject({ widthPx: 2200, heightPx: 2000 })
    await ingest(await photo(4000, 3000).jpeg().toBuffer())
    expect(imaging.stats()).toMatchObject({ ingest: { jobs: 3 }, large: { jobs: 2, deaths: 0 } })
  })

  it('of large images and that of SVGs never run jobs at the same time; closing finishes what runs', async () => {
    const { ingest, imaging } = await open()
    const svg = Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="5" height="5"/></svg>',
    )
    const done: string[] = []
    const seen = new Set<number>()
    const timer = setInterval(() => seen.add(imaging.stats().large.running + imaging.stats().svg.running), 1)
    const each = [large, svg, large, svg].map(async (file) => {
      const { answer } = await ingest(file, [...everyFormat, 'svg'])
      done.push(answer.format)
    })
    // Closing lets a waiting job wait for seconds only, in which a busy machine may not reach it.
    await vi.waitFor(() => {
      const { ingest: first, large: pixels, svg: drawings } = imaging.stats()
      expect([first.jobs, pixels.queued, drawings.queued]).toEqual([4, 0, 0])
    }, patience)
    await imaging.close()
    await Promise.all(each)
    clearInterval(timer)
    expect(done).toHaveLength(4)
    expect(seen).not.toContain(2)
    expect(imaging.stats()).toMatchObject({ large: { jobs: 2, queued: 0 }, svg: { jobs: 2, queued: 0 } })
  })

  describe('of heavy renders', () => {
    /** Of 40 MP and few bytes, decoded completely: a second of work. */
    let heavy: Buffer
    beforeAll(async () => {
      heavy = await sharp({ create: { width: 6400, height: 6300, channels: 3, background: '#1963c8' } })
        .png({ progressive: true, compressionLevel: 1 })
        .toBuffer()
    })

    it('shares the permit of large images, and an ordinary render does not wait for it', async () => {
      const { ingest, render, imaging } = await open()
      const seen = new Set<number>()
      const timer = setInterval(() => {
        const stats = imaging.stats()
        seen.add(stats.heavy.running + stats.large.running + stats.svg.running)
      }, 1)
      const long = [render(heavy, { width: 800 }), render(heavy, { width: 801 }), ingest(heavy)]
      await vi.waitFor(() => expect(imaging.stats().heavy.queued).toBeGreaterThan(0), { ...patience, interval: 1 })
      expect((await render(small)).answer.widthPx).toBe(40)
      const stats = imaging.stats()
      expect(stats.heavy.jobs + stats.large.jobs).toBeLessThan(3)
      await Promise.all(long)
      clearInterval(timer)
      expect(Math.max(...seen)).toBe(1)
      expect(imaging.stats()).toMatchObject({ heavy: { jobs: 2 }, large: { jobs: 1 } })
      await expect.poll(() => imaging.stats().heavy.alive).toBe(0)
    })

    it('continues after a job is killed', async () => {
      const { ingest, render, imaging } = await open({ lanes: { transform: { processes: 1 } } })
      await render(small)
      const known = decoders()
      const killed = render(heavy, { width: 800 })
      const pid = await startedBeside(known)
      const [next, upload] = [render(heavy, { width: 801 }), ingest(heavy)]
      process.kill(pid, 'SIGKILL')
      await expect(killed).rejects.toBeInstanceOf(ImagingInterrupted)
      expect((await next).answer.widthPx).toBe(801)
      expect((await upload).answer.widthPx).toBe(6400)
      expect(imaging.stats().heavy).toMatchObject({ jobs: 2, deaths: 1, running: 0 })
    })

    it('rejects a job with busy when too little time is left to run it', async () => {
      const { ingest, render, imaging } = await open()
      await render(small)
      const upload = ingest(heavy)
      await vi.waitFor(() => expect(imaging.stats().large.running).toBe(1), { ...patience, interval: 1 })
      const context = contextFor('late', 800)
      await expect(render(heavy, { width: 800 }, context)).rejects.toBeInstanceOf(ImagingBusy)
      expect(imaging.stats().heavy).toMatchObject({ jobs: 0, queued: 0, refusedAsBusy: 1 })
      await upload
    })
  })

  it('of one lane does not wait for the other', async () => {
    const { ingest, render, imaging } = await open({ lanes: { transform: { processes: 1 } } })
    await Promise.all([ingest(small), render(small)])
    const uploading = ingest(slow)
    await expect.poll(() => imaging.stats().ingest.running).toBe(1)
    await render(small)
    expect(imaging.stats().ingest.running).toBe(1)
    await uploading
  })
})

it('starts a process for renders or for uploads ahead of the first one', async () => {
  const { imaging, folder } = await open()
  expect(decoders()).toHaveLength(0)
  await imaging.selfTest()
  expect((await readdir(folder)).filter((name) => name.startsWith('self-test-'))).toEqual([])
  expect(imaging.stats()).toMatchObject({ transform: { alive: 1 }, ingest: { alive: 0 } })
  for (let time = 0; time < 2; time++) imaging.warmIngest()
  expect(imaging.stats()).toMatchObject({ transform: { alive: 1 }, ingest: { alive: 1 } })
})

it('knows whether there is a font for watermarks, and draws something in any case', async () => {
  expect(await (await open()).imaging.drawsLetters()).toBe(true)
  await folder.close()
  const without = await mkdtemp(join(tmpdir(), 'image-host-fonts-'))
  vi.stubEnv('FONTCONFIG_FILE', join(without, 'fonts.conf'))
  try {
    await writeFile(join(without, 'fonts.conf'), '<fontconfig></fontconfig>')
    const { imaging, render } = await open()
    expect(await imaging.drawsLetters()).toBe(false)
    const plain = await photo(100, 100).png().toBuffer()
    const { file } = await render(plain, { format: 'png', watermark: 'Mine' })
    const [before, after] = await Promise.all([plain, file].map((png) => sharp(png).removeAlpha().raw().toBuffer()))
    expect(before?.equals(after ?? Buffer.alloc(0))).toBe(false)
  } finally {
    vi.unstubAllEnvs()
    await rm(without, { recursive: true })
  }
})

it('the last process for uploads ends when it is idle for long, and the next upload starts another', async () => {
  const { ingest, imaging } = await open({ lanes: { ingest: { maxIdleMs: 50, maxLastIdleMs: 100 } } })
  for (let time = 0; time < 2; time++) {
    expect((await ingest(small)).answer.widthPx).toBe(40)
    await expect.poll(() => imaging.stats().ingest.alive).toBe(0)
  }
  expect(imaging.stats().ingest).toMatchObject({ jobs: 2, deaths: 0, kills: 0, recycled: 0 })
})

describe('closing', () => {
  it('finishes queued jobs, refuses new ones, ends the processes', async () => {
    const { render, ingest, imaging } = await open({ lanes: { transform: { processes: 1 } } })
    // On a busy machine a process that starts is later than a close waits.
    await Promise.all([render(small), ingest(small)])
    const jobs = [render(small), render(small), ingest(small)]
    const accepted = () => {
      const { transform, ingest: uploads } = imaging.stats()
      return [transform.running + transform.queued + transform.jobs, uploads.running + uploads.jobs]
    }
    await expect.poll(accepted).toEqual([3, 2])
    const closed = imaging.close()
    await expect(render(small)).rejects.toBeInstanceOf(ImagingBusy)
    await closed
    expect((await Promise.all(jobs)).map(({ answer }) => answer.widthPx)).toEqual([40, 40, 40])
    expect(decoders()).toEqual([])
    expect(imaging.stats()).toMatchObject({ transform: { alive: 0 }, ingest: { alive: 0 } })
  })
})

it('a job that fails is an error, and its process stays alive', async () => {
  const { render, imaging } = await open({ lanes: { transform: { processes: 1 } } })
  await expect(render(small, { quality: 0 })).rejects.toThrow('quality')
  expect((await render(small)).answer.widthPx).toBe(40)
  expect(imaging.stats().transform).toMatchObject({ jobs: 2, deaths: 0 })
})

it('an error with a long message is cut, and its process stays alive', async () => {
  const { render, imaging } = await open()
  const error = await render(small, { sourcePath: `/${'a'.repeat(20_000)}` }).catch((caught) => caught)
  expect(error).toMatchObject({ code: 'ENAMETOOLONG', message: expect.stringMatching(/^.{10000}$/) })
  expect(imaging.stats().transform).toMatchObject({ jobs: 1, deaths: 0 })
})

it('a decoder process has a minimal environment, / as its folder, and a higher niceness when it ingests', async () => {
  const { ingest } = await open()
  await ingest(small)
  const [pid] = decoders()
  const environment = readFileSync(`/proc/${pid}/environ`, 'latin1')
    .split('\0')
    .filter(Boolean)
    .map((entry) => entry.split('=')[0])
  expect(environment.toSorted((a, b) => String(a).localeCompare(String(b)))).toEqual([
    'MALLOC_ARENA_MAX',
    'MALLOC_MMAP_THRESHOLD_',
    'MALLOC_TRIM_THRESHOLD_',
    'NODE_CHANNEL_FD',
    'NODE_CHANNEL_SERIALIZATION_MODE',
    'UV_THREADPOOL_SIZE',
    'VIPS_CONCURRENCY',
    'VIPS_DISC_THRESHOLD',
  ])
  const tasks = readdirSync(`/proc/${pid}/task`).map((task) => readFileSync(`/proc/${pid}/task/${task}/stat`, 'latin1'))
  const niceness = tasks.map((stat) => Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]))
  expect(new Set(niceness)).toEqual(new Set([9]))
})

describe('with a data folder', () => {
  it('a decoder process works on links to its files, which are removed with it', async () => {
    await open()
    const dataDir = join(folder.folder, 'data')
    await mkdir(dataDir)
    const imaging = openImaging({ decoderEntry, dataDir, jobTimeLimitMs: 60_000 })
    const at = (name: string) => join(dataDir, name)
    const job = (sourcePath: string) => ({
      sourcePath,
      allow: everyFormat,
      originalPath: at('o'),
      thumbnailPath: at('t'),
      listThumbnailPath: at('l'),
      intermediatePath: at('i'),
    })
    await writeFile(at('s'), small)
    const filesOfDecoders = async () =>
      (await readdir(at('decoders'), { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
    try {
      expect(await imaging.ingest(job(at('s')))).toMatchObject({ widthPx: 40 })
      const [pid] = decoders()
      expect(readFileSync(`/proc/${pid}/cmdline`, 'latin1')).toMatch(/--(?:experimental-)?permission\0/)
      expect([existsSync(at('o')), existsSync(at('t')), (await stat(at('s'))).nlink]).toEqual([true, true, 1])
      await expect(imaging.ingest(job(at('gone')))).rejects.toMatchObject({ code: 'ENOENT' })
      await expect(imaging.ingest({ ...job(at('s')), allow: [] })).rejects.toMatchObject({ reason: 'unsupported' })
      expect(await filesOfDecoders()).toEqual([])
    } finally {
      await imaging.close()
    }
    expect(await readdir(at('decoders'))).toEqual([])
  })

  it('a decoder process that is taken over can access neither other images, uploads and backups nor secrets', async () => {
    const { folder: path } = await open()
    const [dataDir, installation] = [join(path, 'data'), join(path, 'installed')]
    const entry = join(installation, 'dist', 'server', 'imaging', 'decoder', 'probe.mjs')
    const others = [
      'originals/another',
      'variants/an/another/w1',
      'tmp/upload-x/source',
      'tmp/backup-x',
      'jwt-secret',
    ].map((name) => join(dataDir, name))
    for (const file of [entry, ...others]) await mkdir(dirname(file), { recursive: true })
    for (const file of others) await writeFile(file, 'private')
    await writeFile(
      entry,
      `import { readFileSync, writeFileSync } from 'node:fs'
       const codeOf = (work) => { try { work(); return 'allowed' } catch (error) { return error.code } }
       process.on('message', ({ job }) => {
         process.send({ type: 'started' })
         const own = [() => readFileSync(job.sourcePath), () => writeFileSync(job.sourcePath, ''), () => writeFileSync(job.outPath, '')]
         const message = JSON.stringify({
           own: own.map(codeOf),
           read: job.others.map((path) => codeOf(() => readFileSync(path))),
           written: job.others.map((path) => codeOf(() => writeFileSync(path, ''))),
         })
         process.send({ type: 'ended', rssBytes: 1, cpuMs: 1, outcome: { kind: 'failed', message } })
       })
       process.send({ type: 'ready' })`,
    )
    await writeFile(join(path, 'source'), small)
    const imaging = openImaging({ decoderEntry: pathToFileURL(entry), dataDir, jobTimeLimitMs: 60_000 })
    const job = { sourcePath: join(path, 'source'), outPath: join(path, 'out'), format: 'webp', fit: 'inside' } as const
    try {
      const found: Error = await imaging
        .render({ ...job, quality: 80, animated: false, ...{ others: [...others, '/etc/hostname'] } })
        .then(
          () => new Error('{}'),
          (error: Error) => error,
        )
      const denied = Array(others.length + 1).fill('ERR_ACCESS_DENIED')
      expect(JSON.parse(found.message)).toEqual({
        own: ['allowed', 'ERR_ACCESS_DENIED', 'allowed'],
        read: denied,
        written: denied,
      })
    } finally {
      await imaging.close()
    }
  })
})

it('when the server is killed, its decoders end at once, even during a job', async () => {
  await open()
  const source = join(folder.folder, 'slow')
  await writeFile(source, slow)
  const script = join(folder.folder, 'server.mjs')
  await writeFile(
    script,
    `import { openImaging } from ${JSON.stringify(fileURLToPath(new URL('../pool/imaging.js', decoderEntry)))}
     const p = ${JSON.stringify(source)}
     void openImaging().ingest({ sourcePath: p, allow: ['png'], originalPath: p + '.o', thumbnailPath: p + '.t', listThumbnailPath: p + '.l', intermediatePath: p + '.i' })
     process.send?.('started')`,
  )
  const server = fork(script, { execArgv: [] })
  const pid = await working(server.pid)
  server.kill('SIGKILL')
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false), patience)
  // It has not finished its job first.
  await expect(access(`${source}.i`)).rejects.toMatchObject({ code: 'ENOENT' })
})

it('the default decoder is that of the installation', async () => {
  await open()
  const imaging = openImaging()
  const job = {
    sourcePath: '/nowhere',
    allow: everyFormat,
    originalPath: '/nowhere.o',
    thumbnailPath: '/nowhere.t',
    listThumbnailPath: '/nowhere.l',
    intermediatePath: '/nowhere.i',
  }
  await expect(imaging.ingest(job)).rejects.toThrow("open '/nowhere'")
  await imaging.close()
})
