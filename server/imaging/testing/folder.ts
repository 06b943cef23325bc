// A temporary folder with imaging at work in it.

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Ingested,
  type ImageFormat,
  type ImagingOptions,
  openImaging,
  type Order,
  type RenderJob,
} from '../pool/imaging.ts'

/** Compiled before the tests run; a process cannot be started from TypeScript sources. */
export const decoderEntry = new URL('../../../dist/server/imaging/decoder/main.js', import.meta.url)

export const everyFormat: readonly ImageFormat[] = ['jpeg', 'png', 'webp', 'gif']

/** Time enough for an answer however busy the machine of the tests is; what is about time says its own. */
export async function openFolder(options: ImagingOptions = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'imaging-'))
  const imaging = openImaging({ decoderEntry, answerWithinMs: 15_000, ...options })
  let count = 0
  const paths = () => {
    const base = join(folder, String(count++))
    return {
      sourcePath: `${base}.source`,
      originalPath: `${base}.original`,
      thumbnailPath: `${base}.thumbnail`,
      intermediatePath: `${base}.intermediate`,
    }
  }

  async function ingest(file: Buffer, allow = everyFormat, order?: Order) {
    const job = { ...paths(), allow }
    await writeFile(job.sourcePath, file)
    const answer: Ingested = await imaging.ingest(job, order)
    const original = await readFile(job.originalPath)
    const thumbnail = await readFile(job.thumbnailPath)
    const intermediate = answer.intermediate && (await readFile(job.intermediatePath))
    return { answer, original, thumbnail, intermediate }
  }

  async function render(file: Buffer, job: Partial<RenderJob> = {}, order?: Order) {
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
    const answer = await imaging.render(whole, order)
    return { answer, file: await readFile(outPath) }
  }

  async function close() {
    await imaging.close()
    await rm(folder, { recursive: true, force: true })
  }

  return { folder, imaging, ingest, render, close }
}
