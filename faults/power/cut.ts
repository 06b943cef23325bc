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

/** A folder whose power can be cut. Its path stays the same over all cuts. */
export async function openCuttableFolder(defer: Defer) {
  const home = await openFolder(defer)
  const [folder, logs, before] = [join(home, 'data'), join(home, 'logs'), join(home, 'before')]
  const shim = join(home, 'shim.so')
  await run('gcc', ['-shared', '-fPIC', '-O2', '-o', shim, source, '-ldl', '-lpthread'])
  await mkdir(folder)
  let disk: Disk | undefined
  return {
    folder,
    /** Everything in the folder becomes durable. @returns the environment of the processes to watch from now on */
    async plugIn(): Promise<Record<string, string>> {
      await rm(logs, { recursive: true, force: true })
      await rm(before, { recursive: true, force: true })
      await mkdir(logs)
      const inodes = new Map<number, File | Folder>()
      disk = new Disk((await scan({ folder, before }, '', inodes)) as Folder, inodes)
      return { LD_PRELOAD: shim, POWER_ROOT: folder, POWER_LOG: logs, UV_USE_IO_URING: '0' }
    },
    /** After every watched process was killed: restores the durable state, with unsynced data as the loss decides. */
    async cut(lossOn: (disk: Disk) => UnsyncedLoss): Promise<void> {
      if (!disk) throw new Error('Nothing was plugged in')
      for (const change of await readChanges(logs, folder)) disk.apply(change)
      const after = join(home, 'after')
      for (const found of disk.after(lossOn(disk))) {
        const path = join(after, found.path)
        if ('isFolder' in found) await mkdir(path)
        else await restore(before, path, found)
      }
      // A decoder whose parent was just killed may still write its last bytes.
      await rm(folder, { recursive: true, force: true, maxRetries: 10 })
      await rename(after, folder)
    },
  }
}

type Restored = { base: string | undefined; edits: Parameters<typeof edited>[1] }

async function restore(copies: string, path: string, { base, edits }: Restored): Promise<void> {
  const copy = base === undefined ? undefined : join(copies, base)
  if (copy !== undefined && edits.length === 0) return link(copy, path)
  if (base?.includes('/')) throw new Error(`${base} was modified in place: the earlier copy is lost`)
  await writeFile(path, edited(copy === undefined ? Buffer.alloc(0) : await readFile(copy), edits))
}

type Folders = { folder: string; before: string }

/** Copies the current state. Files are only ever replaced, so that a hard link is a sufficient copy. */
async function scan(folders: Folders, path: string, inodes: Map<number, File | Folder>): Promise<File | Folder> {
  const [from, aside] = [join(folders.folder, path), join(folders.before, path)]
  const found = await stat(from)
  const node = found.isDirectory() ? newFolder() : newFile(path)
  inodes.set(found.ino, node)
  if (node.kind === 'file') await (dirname(path) === '.' ? cp(from, aside) : link(from, aside))
  else {
    await mkdir(aside)
    for (const name of await readdir(from)) {
      // Memory-mapped files: worthless after a cut.
      if (name.endsWith('-shm')) continue
      const child = await scan(folders, path === '' ? name : `${path}/${name}`, inodes)
      node.live.set(name, child)
      node.durable.set(name, child)
    }
  }
  return node
}
