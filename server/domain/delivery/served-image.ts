// An image as it is served, be it an original or a variant.
import type { Readable } from 'node:stream'
import type { ByteRange } from '../../blobs/blob-store.ts'
import type { ViewedImage } from '../images/image-row.ts'

/** Everything a response needs. The sender chooses whether to buffer or to stream the bytes. */
export interface ServedImage {
  /** The columns that the response depends on. */
  row: Pick<
    ViewedImage,
    'id' | 'file_name' | 'original_name' | 'expires_at' | 'views_left' | 'visibility' | 'view_key_version' | 'named'
  >
  mime: string
  /** ASCII, as in its URL. */
  fileName: string
  /** The name suggested when saving, in Unicode. */
  savedName: string
  /** Strong: a digest of the bytes, without quotes. */
  etag: string
  /** Bytes. */
  size: number
  kind: 'original' | 'variant'
  /** Of an original on a local disk, relative to its folder. */
  path?: string | undefined
  /** Whether the bytes are on a local disk: a second read is then cheap, and fails at once or not at all. */
  isOnDisk: boolean
  /** The URL has other responses for other Accept headers. */
  variesByAccept?: boolean
  /** A smaller file will replace it within seconds: caches store it briefly, the hot path not at all. */
  isProvisional?: boolean
  /** Reads the bytes of `etag` into memory. @throws {Failure} image_gone, image_not_found, busy */
  read(range?: ByteRange): Promise<Buffer>
  /** The same as a stream, from a local disk in pieces of `pieceBytes`. @throws {Failure} as read */
  open(pieceBytes: number, range?: ByteRange): Promise<Readable>
  /** Counts as a use in the variant cache, for bytes that are sent again without being read. */
  touch?(): void
}
