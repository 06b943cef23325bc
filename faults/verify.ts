// Verifies that an acknowledged image is complete, and that the disk contains nothing else.
import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import type { UploadedImage } from '../contract/endpoints/images.ts'
import { call, originalAt } from './client.ts'
import { type Finding, none } from './scenario.ts'
import { queryRows } from './sqlite-file.ts'

export interface AcknowledgedUpload {
  image: UploadedImage
  /** Of the uploaded bytes. */
  sentSha256: string
}

export const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** One variant of each of the four kinds; the 400 px thumbnail is rendered at the upload, the others on request. */
const variantsOf = (id: string) => [
  `/api/thumbnail/${id}/400`,
  `/api/resize/${id}/200`,
  `/api/jpeg/${id}/200`,
  `/api/webp/${id}/80?width=200`,
]

/**
 * What is wrong with an acknowledged image, or undefined. Intact: its original is served, decodes to the expected size, and
 * matches the hash in its ETag.
 * @param variants whether all four kinds of variant are requested too, or only the thumbnail
 * @param expected the SHA-256 of the expected original, where it is known
 */
export async function violationOf(
  { image }: AcknowledgedUpload,
  url: string,
  { variants, expected }: { variants: boolean; expected: string | undefined },
): Promise<string | undefined> {
  const original = await call(originalAt(url, image))
  if (original.status !== 200) return `lost: the original got ${original.status}`
  const servedSha256 = sha256(original.body)
  if (original.headers.etag !== `"${servedSha256}"`) return 'half-written: the bytes are not those of the ETag'
  if (expected !== undefined && expected !== servedSha256)
    return 'another picture: not what the sent bytes are served as'
  if (original.body.length !== image.size) return 'truncated: the size is not the acknowledged one'
  try {
    const { data, info } = await sharp(original.body, { failOn: 'error' }).raw().toBuffer({ resolveWithObject: true })
    if (data.length === 0 || info.width * info.height !== image.width * image.height)
      return 'half-written: other pixels'
  } catch (error) {
    return `half-written: ${String(error)}`
  }
  for (const variant of variants ? variantsOf(image.id) : variantsOf(image.id).slice(0, 1)) {
    const { status } = await call(url + variant)
    if (status !== 200) return `the variant ${variant.replace(image.id, '…')} got ${status}`
  }
  return undefined
}

/**
 * What a stopped server on SQLite left behind: files without a row, rows without a file, temporary files, a database that
 * fails its integrity check.
 * @param originals the ids of the stored files. Default: those of the local disk
 */
export async function leftoversIn(dataDir: string, originals?: Iterable<string>): Promise<string[]> {
  const check = await queryRows<{ integrity_check: string }>(dataDir, 'PRAGMA integrity_check')
  const rows = new Set((await queryRows<{ id: string }>(dataDir, 'SELECT id FROM images')).map(({ id }) => id))
  const files = new Set(originals ?? (await filesIn(join(dataDir, 'originals'))))
  return [
    ...check
      .filter(({ integrity_check: line }) => line !== 'ok')
      .map(({ integrity_check: line }) => `database: ${line}`),
    ...[...files].filter((file) => !rows.has(file)).map(() => 'a file without a row'),
    ...[...rows].filter((row) => !files.has(row)).map(() => 'a row without a file'),
    ...(await filesIn(join(dataDir, 'tmp'))).map(() => 'a temporary file'),
  ]
}

/** The figure of {@link leftoversIn}. */
export const noLeftovers = async (dataDir: string): Promise<Finding> =>
  none('files without a row, rows without a file, temporary files, database errors', await leftoversIn(dataDir))

export async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}
