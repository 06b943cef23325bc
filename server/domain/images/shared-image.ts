// An image as its share page and oEmbed show it to everyone.
import { nameWithoutExtension } from '../../../contract/plain/alt-text.ts'
import type { Deps } from '../shared/deps.ts'
import { Failure } from '../shared/failure.ts'
import type { ImageRow, ViewedImage } from './image-row.ts'
import { findLiveImage, type ImageKey } from './find-image.ts'
import { viewableBy } from './may-view.ts'

export interface SharedImage {
  /** `key` is the view key of a private image, which opens its other addresses too. */
  row: ViewedImage & { key?: string | undefined }
  /** null: a guest's image, or its owner has not chosen to show their name. */
  ownerName: string | null
}

/** @throws {Failure} image_gone, image_unavailable, image_not_found */
export async function findSharedImage(
  deps: Deps,
  by: ImageKey,
  value: string,
  key: string | undefined,
): Promise<SharedImage> {
  const found = await findLiveImage(deps, by, value, viewableBy(deps, { key }))
  // Its page has the address of the original.
  if (found.named && !found.named.hasOriginal) throw new Failure('image_not_found')
  const row = isKeyed(found) ? { ...found, key } : found
  if (row.owner_id === null) return { row, ownerName: null }
  const owner = await deps.db
    .selectFrom('users')
    .select('name')
    .where('id', '=', row.owner_id)
    .where('show_name', '=', 1)
    .executeTakeFirst()
  return { row, ownerName: owner?.name ?? null }
}

/** Whether it is viewed by a key that its other addresses need, too. */
export const isKeyed = ({ visibility, named }: ViewedImage): boolean => visibility === 'private' || named !== null

export const titleOf = ({ title, original_name: name }: Pick<ImageRow, 'title' | 'original_name'>): string =>
  title || name

/** Without words of the owner: the title, or the name of the file without its extension. */
export const altOf = ({ alt, title, original_name: name }: Pick<ImageRow, 'alt' | 'title' | 'original_name'>): string =>
  alt || title || nameWithoutExtension(name)
