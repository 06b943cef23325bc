// An image in the list of an exported folder.
import { formats } from '../../../contract/plain/formats.ts'
import type { Visibility } from '../../../contract/plain/visibility.ts'
import { expiryText } from '../../db/never-expires.ts'
import { type ImageRow, tagsOf } from '../../domain/images/image-row.ts'

export interface ImageRecord {
  /** Beside the list. */
  file: string
  name: string
  title: string
  alt: string
  id: string
  /** The path of its URL. */
  path: string
  width: number
  height: number
  size: number
  mime: string
  sha256: string
  created_at: string
  /** null: it never expires. */
  expires_at: string | null
  /** null: no limit. */
  views_left: number | null
  views: number
  visibility: Visibility
  quarantined?: true
  tags: string[]
}

export const toImageRecord = (row: ImageRow, file: string): ImageRecord => ({
  file,
  name: row.original_name,
  title: row.title,
  alt: row.alt,
  id: row.id,
  path: `/uploads/${row.file_name}`,
  width: row.width,
  height: row.height,
  size: row.bytes,
  mime: formats[row.format].mime,
  sha256: row.sha256,
  created_at: new Date(row.created_at).toISOString(),
  expires_at: expiryText(row.expires_at),
  views_left: row.views_left,
  views: row.views,
  visibility: row.visibility,
  ...(row.quarantined_at !== null && { quarantined: true }),
  tags: tagsOf(row),
})
