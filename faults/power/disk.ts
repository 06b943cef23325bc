// A model of a disk with a volatile cache: which bytes and names exist after a power cut, by what was synced before it.
//
// A file's bytes are durable when the file was synced after writing them; a name, when its folder was synced after the change.
// POSIX guarantees no more, and the model assumes no more: a rename does not reach both folders at once, and a synced file need
// not have a name.
import type { Change } from './records.ts'

export interface File {
  kind: 'file'
  /** The file with the bytes from before the run; undefined: it started empty. */
  base: string | undefined
  /** Durable writes and truncations in order, followed by the others. */
  settled: Edit[]
  pending: Edit[]
}

export type Edit = { kind: 'write'; offset: number; data: Buffer } | { kind: 'size'; bytes: number }

export interface Folder {
  kind: 'folder'
  /** The state as processes see it. */
  live: Map<string, Node>
  durable: Map<string, Node>
  pending: { name: string; node: Node | undefined; tick: number }[]
}

type Node = File | Folder

/** Decides what survives of unsynced changes. */
export interface UnsyncedLoss {
  /** Name changes up to this tick survive: a journal is ordered. */
  namesUntil: number
  /** The surviving part of an edit. */
  keep(edit: Edit): Edit[]
}

/** Nothing unsynced survives: the worst disk that still conforms. */
export const loseAllUnsynced: UnsyncedLoss = { namesUntil: -1, keep: () => [] }

export const newFolder = (): Folder => ({ kind: 'folder', live: new Map(), durable: new Map(), pending: [] })
export const newFile = (base?: string): File => ({ kind: 'file', base, settled: [], pending: [] })

export class Disk {
  readonly #inodes: Map<number, Node>
  readonly #root: Folder
  /** The number of name changes so far. */
  ticks = 0

  /** @param inodes of everything that exists at the start, including the root */
  constructor(root: Folder, inodes: Map<number, Node>) {
    this.#root = root
    this.#inodes = inodes
  }

  apply(change: Change): void {
    switch (change.kind) {
      case 'create':
      case 'mkdir': {
        const node = change.kind === 'create' ? newFile() : newFolder()
        this.#inodes.set(change.inode, node)
        return this.#name(change.path, node)
      }
      case 'link':
        return this.#name(change.to, this.#find(change.from))
      case 'rename': {
        const node = this.#find(change.from)
        this.#name(change.to, node)
        return this.#name(change.from, undefined)
      }
      case 'unlink':
        return this.#name(change.path, undefined)
      case 'write':
      case 'size':
        return void this.#file(change.inode).pending.push(change)
      case 'sync':
        return this.#sync(change.inode)
    }
  }

  /** The state after a cut now: every file with its edits, and every folder, by path. */
  *after(
    luck: UnsyncedLoss,
  ): Generator<{ path: string; base: string | undefined; edits: Edit[] } | { path: string; isFolder: true }> {
    yield* this.#walk('', this.#root, luck)
  }

  *#walk(path: string, node: Node, luck: UnsyncedLoss): ReturnType<Disk['after']> {
    if (node.kind === 'file') {
      yield { path, base: node.base, edits: [...node.settled, ...node.pending.flatMap((edit) => luck.keep(edit))] }
      return
    }
    yield { path, isFolder: true }
    const names = new Map(node.durable)
    for (const { name, node: found, tick } of node.pending) if (tick <= luck.namesUntil) put(names, name, found)
    for (const [name, child] of names) yield* this.#walk(path === '' ? name : `${path}/${name}`, child, luck)
  }

  #sync(inode: number): void {
    const node = this.#inodes.get(inode)
    if (node?.kind === 'file') node.settled.push(...node.pending.splice(0))
    else if (node) for (const { name, node: found } of node.pending.splice(0)) put(node.durable, name, found)
  }

  #name(path: string, node: Node | undefined): void {
    const cut = path.lastIndexOf('/')
    const folder = this.#find(path.slice(0, Math.max(0, cut)))
    if (folder.kind !== 'folder') throw new Error(`${path} lies in something that is no folder`)
    const name = path.slice(cut + 1)
    put(folder.live, name, node)
    folder.pending.push({ name, node, tick: this.ticks++ })
  }

  #find(path: string): Node {
    let node: Node = this.#root
    for (const name of path === '' ? [] : path.split('/')) {
      const next: Node | undefined = node.kind === 'folder' ? node.live.get(name) : undefined
      if (!next) throw new Error(`${path} came into being unseen`)
      node = next
    }
    return node
  }

  #file(inode: number): File {
    const node = this.#inodes.get(inode)
    if (node?.kind !== 'file')
      throw new Error(`A file came into being unseen: inode ${inode} is ${node?.kind ?? 'unknown'}`)
    return node
  }
}

function put(names: Map<string, Node>, name: string, node: Node | undefined): void {
  if (node) names.set(name, node)
  else names.delete(name)
}

/** The bytes of a file after its edits. Unwritten ranges are zeros. */
export function edited(base: Buffer, edits: readonly Edit[]): Buffer {
  const end = edits.reduce(
    (most, edit) => Math.max(most, edit.kind === 'size' ? edit.bytes : edit.offset + edit.data.length),
    base.length,
  )
  const bytes = Buffer.alloc(end)
  base.copy(bytes)
  let size = base.length
  for (const edit of edits) {
    if (edit.kind === 'size') {
      bytes.fill(0, Math.min(edit.bytes, size), size)
      size = edit.bytes
    } else {
      edit.data.copy(bytes, edit.offset)
      size = Math.max(size, edit.offset + edit.data.length)
    }
  }
  return bytes.subarray(0, size)
}

/** A disk that preserved some unsynced data: names up to a random point, and each block of a write with probability 1/2. */
export function loseSomeUnsynced(disk: Disk, random: () => number): UnsyncedLoss {
  const blockBytes = random() < 0.5 ? 512 : 4096
  return {
    namesUntil: Math.floor(random() * disk.ticks),
    keep: (edit) => {
      if (edit.kind === 'size') return random() < 0.5 ? [edit] : []
      const kept: Edit[] = []
      for (let at = edit.offset; at < edit.offset + edit.data.length;) {
        const next = Math.min(edit.offset + edit.data.length, (Math.floor(at / blockBytes) + 1) * blockBytes)
        const data = edit.data.subarray(at - edit.offset, next - edit.offset)
        if (random() < 0.5) kept.push({ kind: 'write', offset: at, data })
        at = next
      }
      return kept
    },
  }
}
