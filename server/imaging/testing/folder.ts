// Opens imaging with its files in a temporary folder.

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ImageFormat, pixelFormats } from '../../../contract/plain/formats.ts'
import { type Ingested, type ImagingOptions, openImaging, type JobContext, type RenderJob } from '../pool/imaging.ts'

/** Compiled before the tests run; a process cannot be started from TypeScript sources. */
export const decoderEntry = new URL('../../../dist/server/imaging/decoder/main.js', import.meta.url)

export const everyFormat: readonly ImageFormat[] = pixelFormats

/** A context whose jobs may start until half a second before their deadline. */
export function contextFor(caller: string, ms = 60_000): JobContext {
  const now = performance.now()
  return { caller, startByMs: now + ms - 500, deadlineMs: now + ms, joined: new Set(), usedMs: 0 }
}

/** The time limit is independent of the load of the test machine; tests of time limits set their own. */
export async function openFolder(options: ImagingOptions = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'imaging-'))
  const imaging = openImaging({ decoderEntry, jobTimeLimitMs: 60_000, ...options })
  let count = 0
  const paths = () => {
    const base = join(folder, String(count++))
    return {
      sourcePath: `${base}.source`,
      originalPath: `${base}.original`,
      thumbnailPath: `${base}.thumbnail`,
      listThumbnailPath: `${base}.list-thumbnail`,
      intermediatePath: `${base}.intermediate`,
    }
  }

  async function ingest(file: Buffer, allow = everyFormat, context?: JobContext) {
    const job = { ...paths(), allow }
    await writeFile(job.sourcePath, file)
    const answer: Ingested = await imaging.ingest(job, context)
    const original = await readFile(job.originalPath)
    const thumbnail = await readFile(job.thumbnailPath)
    const listThumbnail = await readFile(job.listThumbnailPath)
    const intermediate = answer.intermediate && (await readFile(job.intermediatePath))
    return { answer, original, thumbnail, listThumbnail, intermediate }
  }

  async function render(file: Buffer, job: Partial<RenderJob> = {}, context?: JobContext) {
    const { sourcePath } = paths()
    const outPath = `${sourcePath}.out`
    await writeFile(sourcePath, file)
    const whole: RenderJob = {
      sourcePath,
      outPath,
      format: 'webp',
      fit: 'inside',
      quality: 80,
      animated: false,
      ...job,
    }
    const answer = await imaging.render(whole, context)
    return { answer, file: await readFile(outPath) }
  }

  async function close() {
    await imaging.close()
    await rm(folder, { recursive: true, force: true })
  }

  return { folder, imaging, ingest, render, close }
}
