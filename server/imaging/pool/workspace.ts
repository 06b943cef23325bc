// The folder of one decoder process: the files of its job, and nothing else that it can access.

import { randomUUID } from 'node:crypto'
import { linkSync, mkdirSync, renameSync, unlinkSync } from 'node:fs'
import { constants, copyFile, link, rename, rm, unlink } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { preferSync } from '../../concurrency/prefer-sync.ts'
import type { Job } from '../protocol.ts'

/** The folders of all processes. Emptied when the server starts. */
export const workspacesFolder = (dataDir: string) => resolve(dataDir, 'decoders')

const outputFields = ['originalPath', 'thumbnailPath', 'listThumbnailPath', 'intermediatePath', 'outPath'] as const
type OutputPaths = Partial<Record<(typeof outputFields)[number], string>>

export class Workspace {
  readonly #folder: string
  #jobs = 0

  /** Synchronous like the start of a process, which follows. */
  constructor(dataDir: string) {
    this.#folder = join(workspacesFolder(dataDir), randomUUID())
    for (const name of ['in', 'out']) mkdirSync(join(this.#folder, name), { recursive: true, mode: 0o700 })
  }

  /** Flags of Node's permission model. The input is a link to an original: it must not be writable. */
  get flags(): string[] {
    return [`--allow-fs-read=${join(this.#folder, '*')}`, `--allow-fs-write=${join(this.#folder, 'out', '*')}`]
  }

  /** Provides the input of a job. @returns the job with the paths of this folder. @throws system errors */
  async stage(job: Job): Promise<Job> {
    this.#jobs++
    const sourcePath = this.#inputPath()
    await linkOrCopy(job.job.sourcePath, sourcePath)
    const outputs = outputsOf(job).map(([field]) => [field, this.#outputPath(field)])
    return { ...job, job: { ...job.job, sourcePath, ...Object.fromEntries(outputs) } }
  }

  /** Moves what the process has written to the paths of the job, and removes its input. */
  async collect(job: Job): Promise<void> {
    for (const [field, path] of outputsOf(job)) await moveIfPresent(this.#outputPath(field), path)
    const input = this.#inputPath()
    await preferSync(
      () => unlinkSync(input),
      () => unlink(input),
    )
  }

  async remove(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true })
  }

  #inputPath(): string {
    return join(this.#folder, 'in', String(this.#jobs))
  }

  #outputPath(field: string): string {
    return join(this.#folder, 'out', `${this.#jobs}-${field}`)
  }
}

function outputsOf({ job }: Job): [field: string, path: string][] {
  const paths = job as OutputPaths
  return outputFields.flatMap((field) => {
    const path = paths[field]
    return path === undefined ? [] : [[field, path] as [string, string]]
  })
}

/** A link costs no copy; some file systems have none, and none crosses file systems. */
async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await preferSync(
      () => linkSync(from, to),
      () => link(from, to),
    )
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw error
    await copyFile(from, to, constants.COPYFILE_EXCL)
  }
}

async function moveIfPresent(from: string, to: string): Promise<void> {
  try {
    await preferSync(
      () => renameSync(from, to),
      () => rename(from, to),
    )
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}
