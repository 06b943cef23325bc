// What a picture is delivered with, be it an original or a variant.
import type { MayHold } from '../../blobs/blob-store.ts'
import type { ImageRow } from './image-row.ts'

/** What is asked about any picture. */
export interface PictureRequest {
  mayHold: MayHold
}

export interface ServedPicture {
  /** Bytes in all. */
  size: number
  mime: string
  /** What the reply was made of: as long as these stay, so does the reply. */
  row: Pick<ImageRow, 'id' | 'file_name' | 'original_name' | 'expires_at'>
  /** ASCII, as in its address. */
  fileName: string
  /** As people know it. */
  savedName: string
  /** Strong: of the bytes. Without its quotes. */
  etag: string
  /**
   * The same bytes once more off this machine's disk, into memory; null: they are not to be had, or others by now. May throw as
   * the first time. Not there when they are elsewhere: whoever failed to get them would wait for the same again.
   */
  readAgain: (() => Promise<Buffer | null>) | undefined
  /** To be told when the bytes are sent once more by whoever kept them; of many times, once in a while. */
  onReused(): void
}
