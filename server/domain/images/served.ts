// What a picture is delivered with, be it an original or a variant.
import type { ImageRow } from './record.ts'

export interface ServedPicture {
  mime: string
  /** What the reply was made of: as long as these stay, so does the reply. */
  row: Pick<ImageRow, 'id' | 'file_name' | 'original_name' | 'expires_at'>
  /** ASCII, as in its address. */
  fileName: string
  /** As people know it. */
  savedName: string
  expiresAt: number
  /** Strong: of the bytes. Without its quotes. */
  etag: string
  /** The same bytes once more, up to 1 MB of them; null: they are not to be had, or others by now. May throw as the first time. */
  readAgain(): Promise<Buffer | null>
  /** To be told when the bytes are sent once more by whoever kept them. */
  onReused(): void
}
