// Recently served images: the recorded response of each, with the bytes of the small ones.
import type { OutgoingHttpHeaders } from 'node:http'
import { LRUCache } from 'lru-cache'
import type { ImageChanges } from '../../db/image-changes.ts'
import type { ServedImage } from '../../domain/delivery/served-image.ts'

/** More than a gallery of 100,000 images shows at a time. */
const maxEntries = 16_000
/** For everything but image bytes: 1.5 kB per entry, more for long names. */
const maxHeadBytes = 32 * 1024 ** 2
/** The objects and keys of an entry. */
const entryOverheadBytes = 800
/** What galleries and viewers show; larger images cost more to send than to read. */
const maxImageBytes = 512 * 1024
/** Unused bytes that a stored buffer may have: files are read with one byte more than expected. */
const maxUnusedBytes = 64
/** A tenth of what the server may use. */
const maxTotalImageBytes = 32 * 1024 ** 2
/** While it is full, one in so many is stored again: more images in rotation than fit would evict each other. */
const storeOneIn = 8

export interface HotEntry {
  row: Omit<ServedImage['row'], 'views_left'>
  /** UTC milliseconds: the expiry of the image, or before it the end of the view key in the URL. */
  endsAt: number
  /** In quotes. */
  etag: string
  size: number
  /** URL pattern, for the metrics. */
  route: string
  /** As in log lines. */
  path: string
  /** The headers of the recorded response, in its order. */
  headers: OutgoingHttpHeaders
  /** The same for a 304. */
  notModifiedHeaders: OutgoingHttpHeaders
  /** Reads the bytes of `etag` from the disk; undefined where they are remote. */
  read: (() => Promise<Buffer>) | undefined
  touch: (() => void) | undefined
  /** When `touch` was called last; 0: never. */
  touchedAt: number
}

/** @param changes null: the caller checks the row of an entry at each request */
export function createHotCache(changes: ImageChanges | null) {
  const keysOf = new Map<string, Set<string>>()
  const bytes = new LRUCache<string, Buffer>({
    maxSize: maxTotalImageBytes,
    sizeCalculation: (cached) => Math.max(1, cached.length),
  })
  const entries = new LRUCache<string, HotEntry>({
    max: maxEntries,
    maxSize: maxHeadBytes,
    // A long name is most of it.
    sizeCalculation: ({ headers }) => entryOverheadBytes + 2 * Object.values(headers).join('').length,
    dispose({ row: { id } }, key, reason) {
      if (reason !== 'set') bytes.delete(key)
      const keys = keysOf.get(id)
      keys?.delete(key)
      if (keys?.size === 0) keysOf.delete(id)
    },
  })
  let generation = 0
  let readAgain = 0
  changes?.onChange((id) => {
    generation++
    if (id === undefined) entries.clear()
    else for (const key of [...(keysOf.get(id) ?? [])]) entries.delete(key)
  })
  const setBytes = (key: string, image: Buffer) => {
    if (image.length > maxImageBytes) return
    // A view of a larger buffer would retain all of it.
    bytes.set(
      key,
      image.buffer.byteLength - image.length <= maxUnusedBytes ? image : Buffer.from(new Uint8Array(image).buffer),
    )
  }
  /** Whether `entry` was neither dropped nor replaced. */
  const holds = (key: string, entry: HotEntry) => entries.peek(key) === entry

  return {
    /** Incremented when a row of an image changes. Recordings take it before they read a row. */
    generation: () => generation,
    /** Adds an entry, unless a row, perhaps its own, was changed since `recordedAt`. */
    add(key: string, entry: HotEntry, image: Buffer, recordedAt: number) {
      if (recordedAt !== generation) return
      entries.set(key, entry)
      const { id } = entry.row
      const keys = keysOf.get(id) ?? new Set()
      keysOf.set(id, keys.add(key))
      bytes.delete(key)
      setBytes(key, image)
    },
    /** Stores bytes that were read again. */
    addBytes(key: string, entry: HotEntry, image: Buffer) {
      const fits = bytes.calculatedSize + image.length <= maxTotalImageBytes || ++readAgain % storeOneIn === 0
      if (fits && holds(key, entry)) setBytes(key, image)
    },
    get: (key: string) => entries.get(key),
    bytesOf: (key: string) => bytes.get(key),
    holds,
    delete: (key: string) => void entries.delete(key),
    stats: () => ({ images: entries.size, inMemory: bytes.size, bytes: bytes.calculatedSize }),
  }
}
