// Simulates a power cut for a folder: unsynced data is discarded while the machine keeps running.
import { execFile } from 'node:child_process'
import { cp, link, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Defer, openFolder } from '../resources.ts'
import { Disk, edited, type File, type Folder, type UnsyncedLoss, newFile, newFolder } from './disk.ts'
import { readChanges } from './records.ts'

const run = promisify(execFile)
const source = fileURLToPath(new URL('shim.c', import.meta.url))

/** What this machine lacks for it, as the end of a sentence. */
export async function missingForCuts(): Promise<string | undefined> {
  if (process.platform !== 'linux') return 'it needs Linux'
  return run('gcc', ['--version']).then(
    () => undefined,
    () => 'it needs gcc',
  )
}

/** A folder whose power can be cut. */
export class CuttableFolder {
  readonly #home: string
  readonly #shim: string
  /** The watched path. The same over all cuts. */
  readonly folder: string
  #disk: Disk | undefined

  private constructor(home: string, shim: string) {
    this.#home = home
    this.#shim = shim
    this.folder = join(home, 'data')
  }

  static async make(defer: Defer): Promise<CuttableFolder> {
    const home = await openFolder(defer)
    const shim = join(home, 'shim.so')
    await run('gcc', ['-shared', '-fPIC', '-O2', '-o', shim, source, '-ldl', '-lpthread'])
    const outlet = new CuttableFolder(home, shim)
    await mkdir(outlet.folder)
    return outlet
  }

  /** Everything in the folder becomes durable. @returns the environment of the processes to watch from now on */
  async plugIn(): Promise<Record<string, string>> {
    await rm(this.#logs, { recursive: true, force: true })
    await rm(this.#before, { recursive: true, force: true })
    await mkdir(this.#logs)
    const inodes = new Map<number, File | Folder>()
    this.#disk = new Disk((await this.#scan('', inodes)) as Folder, inodes)
    return { LD_PRELOAD: this.#shim, POWER_ROOT: this.folder, POWER_LOG: this.#logs, UV_USE_IO_URING: '0' }
  }

  /** After every watched process was killed: restores the durable state, with unsynced data as `loss` decides. */
  async cut(luckOf: (disk: Disk) => UnsyncedLoss): Promise<void> {
    if (!this.#disk) throw new Error('Nothing was plugged in')
    for (const change of await readChanges(this.#logs, this.folder)) this.#disk.apply(change)
    const after = join(this.#home, 'after')
    for (const found of this.#disk.after(luckOf(this.#disk))) {
      const path = join(after, found.path)
      if ('isFolder' in found) await mkdir(path)
      else await this.#restore(path, found)
    }
    // A decoder whose parent was just killed may still write its last bytes.
    await rm(this.folder, { recursive: true, force: true, maxRetries: 10 })
    await rename(after, this.folder)
  }

  get #logs() {
    return join(this.#home, 'logs')
  }

  get #before() {
    return join(this.#home, 'before')
  }

  async #restore(path: string, { base, edits }: { base: string | undefined; edits: Parameters<typeof edited>[1] }) {
    const before = base === undefined ? undefined : join(this.#before, base)
    if (before !== undefined && edits.length === 0) return link(before, path)
    if (base?.includes('/')) throw new Error(`${base} was modified in place: the earlier copy is lost`)
    await writeFile(path, edited(before === undefined ? Buffer.alloc(0) : await readFile(before), edits))
  }

  /** Copies the current state. Files are only ever replaced, so that a hard link is a sufficient copy. */
  async #scan(path: string, inodes: Map<number, File | Folder>): Promise<File | Folder> {
    const from = join(this.folder, path)
    const aside = join(this.#before, path)
    const found = await stat(from)
    const node = found.isDirectory() ? newFolder() : newFile(path)
    inodes.set(found.ino, node)
    if (node.kind === 'file') await (dirname(path) === '.' ? cp(from, aside) : link(from, aside))
    else {
      await mkdir(aside)
      for (const name of await readdir(from)) {
        // Memory-mapped files: worthless after a cut.
        if (name.endsWith('-shm')) continue
        const child = await this.#scan(path === '' ? name : `${path}/${name}`, inodes)
        node.live.set(name, child)
        node.durable.set(name, child)
      }
    }
    return node
  }
}
