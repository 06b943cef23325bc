// Pictures that were asked for lately: what their replies are made of, and in memory the bytes of those that are small.
import { LRUCache } from 'lru-cache'
import type { ImageChanges } from '../../db/image-changes.ts'
import type { ServedPicture } from '../../domain/images/served.ts'
import type { RecordedHeaders } from './recorded-headers.ts'

/** All that a gallery of 100,000 shows at a time fits in. */
const maxPictures = 16_000
/** Of what is remembered besides bytes: one and a half kB each, more where names are long. */
const maxHeadsTogether = 32 * 1024 ** 2
/** Objects and keys around it. */
const besidesHeaders = 800
/** Thumbnails and what is as small; what is larger costs more to send than to read. */
const maxBytesEach = 64 * 1024
/** Of memory beyond the bytes that is kept with them: whoever reads a file of known length asks for one byte more. */
const mostAround = 64
/** A tenth of what the server may use in all. */
const maxBytesTogether = 32 * 1024 ** 2

export interface HotPicture extends Pick<ServedPicture, 'size' | 'readAgain' | 'onReused'> {
  row: ServedPicture['row']
  /** In its quotes. */
  etag: string
  /** The pattern of its address, for the figures. */
  route: string
  headers: RecordedHeaders
  /** When `onReused` was called last; 0: not yet. */
  toldAt: number
}

export interface HotPictures {
  /** To be taken before the row is read that a picture is made of. */
  moment(): number
  /** Keeps a picture, unless a row has changed since `moment`: it may be this one's. */
  keep(key: string, picture: HotPicture, bytes: Buffer, moment: number): void
  /** Once more, when they were read again. */
  keepBytes(key: string, picture: HotPicture, bytes: Buffer): void
  find(key: string): HotPicture | undefined
  bytesOf(key: string): Buffer | undefined
  /** Whether it is still the one that was found. */
  isKept(key: string, picture: HotPicture): boolean
  drop(key: string): void
  stats(): { pictures: number; inMemory: number; bytes: number }
}

/** @param changes null: whoever finds a picture asks whether its row is still the same */
export function openHotPictures(changes: ImageChanges | null): HotPictures {
  const keysOf = new Map<string, Set<string>>()
  const bytes = new LRUCache<string, Buffer>({
    maxSize: maxBytesTogether,
    sizeCalculation: (kept) => Math.max(1, kept.length),
  })
  const pictures = new LRUCache<string, HotPicture>({
    max: maxPictures,
    maxSize: maxHeadsTogether,
    sizeCalculation: ({ headers: { whole, unchanged, ownLength } }) =>
      besidesHeaders + 8 * (whole.length + unchanged.length) + 2 * ownLength,
    dispose({ row: { id } }, key, reason) {
      if (reason !== 'set') bytes.delete(key)
      const keys = keysOf.get(id)
      keys?.delete(key)
      if (keys?.size === 0) keysOf.delete(id)
    },
  })
  let changed = 0
  changes?.onChange((id) => {
    changed++
    if (id === undefined) pictures.clear()
    else for (const key of [...(keysOf.get(id) ?? [])]) pictures.delete(key)
  })
  const keepBytes = (key: string, found: Buffer) => {
    if (found.length > maxBytesEach) return
    // What is a piece of something larger would keep all of it.
    bytes.set(key, found.buffer.byteLength - found.length <= mostAround ? found : copyOf(found))
  }

  return {
    moment: () => changed,
    keep(key, picture, found, moment) {
      if (moment !== changed) return
      pictures.set(key, picture)
      const { id } = picture.row
      const keys = keysOf.get(id) ?? new Set()
      keysOf.set(id, keys.add(key))
      bytes.delete(key)
      keepBytes(key, found)
    },
    keepBytes(key, picture, found) {
      if (pictures.peek(key) === picture) keepBytes(key, found)
    },
    find: (key) => pictures.get(key),
    bytesOf: (key) => bytes.get(key),
    isKept: (key, picture) => pictures.peek(key) === picture,
    drop: (key) => void pictures.delete(key),
    stats: () => ({ pictures: pictures.size, inMemory: bytes.size, bytes: bytes.calculatedSize }),
  }
}

function copyOf(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(copy)
  return copy
}
