// The variants of an image, as they are served: found in the cache, or rendered at their first request (render-variant.ts).
import { outputFormats } from '../../../contract/plain/formats.ts'
import { BlobMissing } from '../../blobs/blob-store.ts'
import type { CachedFile } from '../../blobs/cached-file.ts'
import { findUnexpiredImage } from '../images/find-image.ts'
import { savedName } from '../images/image-names.ts'
import type { ImageRow, ViewedImage } from '../images/image-row.ts'
import { everyone } from '../images/may-view.ts'
import type { Deps } from '../shared/deps.ts'
import { Failure } from '../shared/failure.ts'
import { getOrRender, type Visitor } from './render-variant.ts'
import type { ServedImage } from './served-image.ts'
import type { VariantPlan } from './variant-plan.ts'

/**
 * Renders the variant unless it is cached.
 * @throws {Failure} image_gone, busy, too_many_requests; the reason of `visitor.gone`
 */
export async function getOrRenderVariant(
  deps: Deps,
  row: ViewedImage,
  visitor: Visitor,
  plan: VariantPlan,
): Promise<ServedImage> {
  const { key, job, mayUseIntermediate } = plan
  const file = await getOrRender(deps, row, {
    key,
    visitor,
    mayUseIntermediate,
    render: (paths, context) => deps.imaging.render({ ...job, ...paths }, context),
  })
  return servedVariant(deps, row, plan, file)
}

/** @returns null when the variant is not cached */
export async function cachedVariantOf(deps: Deps, row: ViewedImage, plan: VariantPlan): Promise<ServedImage | null> {
  const file = await deps.variants.find(row.id, plan.key)
  return file && servedVariant(deps, row, plan, file)
}

function servedVariant(deps: Deps, row: ViewedImage, { key, format }: VariantPlan, file: CachedFile): ServedImage {
  const {
    mime,
    extensions: [extension],
  } = outputFormats[format]
  return {
    row,
    mime,
    fileName: row.file_name.replace(/\.\w+$/, `.${extension}`),
    savedName: savedName(row.original_name, extension),
    etag: file.sha256.slice(0, 27),
    size: file.size,
    kind: 'variant',
    isOnDisk: file.isOnDisk,
    read: () => file.read().catch((error: unknown) => throwEvictedAsBusy(deps, row, error)),
    open: (pieceBytes) => file.open(pieceBytes).catch((error: unknown) => throwEvictedAsBusy(deps, row, error)),
    touch: () => deps.variants.touch(row.id, key),
  }
}

/** Whether a variant was evicted between its lookup and its read: the next lookup renders it again. */
export const wasEvicted = (error: unknown): boolean =>
  error instanceof Failure && error.code === 'busy' && error.cause instanceof BlobMissing

/** @throws {Failure} image_gone, busy, for which `wasEvicted` is true */
async function throwEvictedAsBusy(deps: Deps, { id }: ImageRow, error: unknown): Promise<never> {
  if (!(error instanceof BlobMissing)) throw error
  await findUnexpiredImage(deps, 'id', id, everyone)
  throw new Failure('busy', {}, { cause: error })
}
