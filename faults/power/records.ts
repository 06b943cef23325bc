// Reads the records of shim.c: the file operations of each process, in the order in which they happened.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Inodes as numbers; paths from the root of the folder, '' for the root. */
export type Change =
  | { kind: 'create' | 'mkdir'; inode: number; path: string }
  | { kind: 'rename' | 'link'; from: string; to: string }
  /** The name of a file or an empty folder. */
  | { kind: 'unlink'; path: string }
  | { kind: 'write'; inode: number; offset: number; data: Buffer }
  | { kind: 'size'; inode: number; bytes: number }
  /** Everything that completed before it, of this file or of the names in this folder, is durable. */
  | { kind: 'sync'; inode: number }

/** In the order of the enum in shim.c, from 1. */
const kinds = ['create', 'mkdir', 'rename', 'unlink', 'write', 'size', 'sync', 'blind', 'link'] as const
/** struct head: three numbers of 8 bytes, four of 4. */
const headBytes = 40

/**
 * @param root the watched folder
 * @throws when something happened that the layer cannot model
 */
export async function readChanges(logs: string, root: string): Promise<Change[]> {
  const files = await Promise.all((await readdir(logs)).map((name) => readFile(join(logs, name))))
  const timed = files.flatMap((file) => [...recordsIn(file, root)])
  // A stable sort: operations of one process within a nanosecond stay in order.
  return timed.sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0)).map(({ change }) => change)
}

function* recordsIn(file: Buffer, root: string): Generator<{ time: bigint; change: Change }> {
  let at = 0
  // A process killed while it wrote a record has acknowledged nothing of it.
  while (at + headBytes <= file.length) {
    const number = (n: number) => file.readUInt32LE(at + 24 + n * 4)
    const [kind, pathBytes, otherBytes, dataBytes] = [kinds[number(0) - 1], number(1), number(2), number(3)]
    const end = at + headBytes + pathBytes + otherBytes + dataBytes
    if (end > file.length) return
    const path = file.toString('utf8', at + headBytes, at + headBytes + pathBytes)
    const other = file.toString('utf8', at + headBytes + pathBytes, end - dataBytes)
    const inode = Number(file.readBigUInt64LE(at + 8))
    const offset = Number(file.readBigUInt64LE(at + 16))
    const below = (full: string) => full.slice(root.length + 1)
    const changes = {
      create: () => ({ kind: 'create', inode, path: below(path) }),
      mkdir: () => ({ kind: 'mkdir', inode, path: below(path) }),
      rename: () => ({ kind: 'rename', from: below(path), to: below(other) }),
      link: () => ({ kind: 'link', from: below(path), to: below(other) }),
      unlink: () => ({ kind: 'unlink', path: below(path) }),
      write: () => ({ kind: 'write', inode, offset, data: file.subarray(end - dataBytes, end) }),
      size: () => ({ kind: 'size', inode, bytes: offset }),
      sync: () => ({ kind: 'sync', inode }),
      blind: (): Change => {
        throw new Error(`The layer below the server cannot follow ${path}: the scenario proves nothing`)
      },
    } satisfies Record<(typeof kinds)[number], () => Change>
    if (kind === undefined) throw new Error('The log of the layer below the server cannot be read')
    yield { time: file.readBigUInt64LE(at), change: changes[kind]() }
    at = end
  }
}
