// The analysis of an image, cached beside its variants, since it never changes.
import { writeFile } from 'node:fs/promises'
import { imageUrls } from '../../../contract/derive/client.ts'
import type { ImageAnalysis } from '../../../contract/endpoints/images.ts'
import { limits } from '../../../contract/plain/limits.ts'
import { BlobMissing } from '../../blobs/blob-store.ts'
import type { Inspected } from '../../imaging/pool/imaging.ts'
import type { Caller } from '../shared/caller.ts'
import type { Deps, RequestContext } from '../shared/deps.ts'
import { Failure } from '../shared/failure.ts'
import { canBeWebp, optimizationTips } from './optimization-tips.ts'
import type { ImageRow } from '../images/image-row.ts'
import { findLiveImage } from '../images/find-image.ts'
import { assertMayManage } from '../images/managed-image.ts'
import { viewableBy } from '../images/may-view.ts'
import { givesOriginal } from './originals.ts'
import { planViewed } from './variant-plan.ts'
import { getOrRenderVariant } from './variants.ts'
import { getOrRender } from './render-variant.ts'

/** Changed whenever what is inspected changes, so that older files are not read. */
const cacheKey = 'inspected-1.json'

/**
 * Of an image with limited views for its owner and admins only: the colours would be a look at it that takes no view.
 * @throws {Failure} image_gone, image_unavailable, image_not_found, authentication_required, forbidden, guest_token_required,
 * wrong_guest_token, too_many_requests, busy
 */
export async function analyzeImage(
  deps: Deps,
  {
    params,
    query,
    caller,
    guestToken,
    address,
    gone,
    baseUrl,
  }: RequestContext<Caller> & {
    params: { id: string }
    query: { key?: string | undefined }
    guestToken?: string | undefined
  },
): Promise<ImageAnalysis> {
  const row = await findLiveImage(deps, 'id', params.id, viewableBy(deps, { caller, guestToken, key: query.key }))
  // Sizes and colours are facts of the original.
  if (!givesOriginal(row)) throw new Failure('image_not_found')
  if (row.views_left !== null) assertMayManage({ caller, guestToken }, row)
  const inspect = () =>
    getOrRender(deps, row, {
      key: cacheKey,
      visitor: { address, gone },
      mayUseIntermediate: false,
      async render({ sourcePath, outPath }, context) {
        await writeFile(outPath, JSON.stringify(await deps.imaging.inspect({ sourcePath }, context)))
      },
    })
  const file = await inspect()
  const bytes = await file.read().catch(async (error: unknown) => {
    if (!(error instanceof BlobMissing)) throw error
    // It was evicted before it was read.
    return (await inspect()).read()
  })
  // With limited views the size would be a look at the image, too.
  const isMeasured = canBeWebp(row) && row.views_left === null
  const webp = isMeasured
    ? await getOrRenderVariant(deps, row, { address, gone }, planViewed(row, webpAtFullSize))
    : undefined
  return toAnalysis(row, { ...(JSON.parse(bytes.toString()) as Inspected), webpBytes: webp?.size }, baseUrl)
}

/** What the page compares, and requests next. */
const webpAtFullSize = {
  format: 'webp',
  fit: 'inside',
  quality: limits.variant.defaultQuality,
  keepsAnimation: true,
} as const

function toAnalysis(
  row: ImageRow,
  inspected: Inspected & { webpBytes: number | undefined },
  baseUrl: string,
): ImageAnalysis {
  const { space, channels, depth, hasAlpha, isProgressive, hasProfile, pages } = inspected
  const { format, width, height } = row
  const facts = { format, width, height, space, channels, depth, hasAlpha, isProgressive, hasProfile, pages }
  const { thumbnail, mobile, tablet, desktop } = limits.recommendedWidthsPx
  return {
    id: row.id,
    file_name: row.file_name,
    original: { ...facts, size: row.bytes },
    ...facts,
    colorInfo: {
      averageColor: inspected.averageColor,
      dominantColor: inspected.dominantColor,
      dominantChannel: dominantChannel(inspected.averageColor),
    },
    optimizationTips: optimizationTips(row, inspected),
    recommendedSizes: {
      thumbnail: fitWidth(row, thumbnail),
      mobile: fitWidth(row, mobile),
      tablet: fitWidth(row, tablet),
      desktop: fitWidth(row, desktop),
    },
    apiEndpoints: {
      original: imageUrls.original(baseUrl, row.file_name),
      resize: imageUrls.resize(baseUrl, row.id),
      webp: imageUrls.webp(baseUrl, row.id),
    },
  }
}

function fitWidth({ width, height }: ImageRow, maxWidth: number) {
  const scale = Math.min(1, maxWidth / width)
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

/** Returns the channel with the highest mean; the first of equal ones, as in grey. */
function dominantChannel({ r, g, b }: Inspected['averageColor']): 'red' | 'green' | 'blue' {
  if (r >= g && r >= b) return 'red'
  return g >= b ? 'green' : 'blue'
}
