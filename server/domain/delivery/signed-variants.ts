// Signed addresses of variants: with SIGN_VARIANTS=on only the server can invent sizes and effects (docs/decisions/0045).
import { createHmac } from 'node:crypto'
import { imageUrls } from '../../../contract/derive/client.ts'
import type { EngineQuery } from '../../../contract/endpoints/image-engine.ts'
import { limits } from '../../../contract/plain/limits.ts'
import { ladderWidth } from '../../../contract/plain/width-ladder.ts'
import type { Deps } from '../shared/deps.ts'
import { Failure } from '../shared/failure.ts'
import { hashSecret, secretMatches } from '../shared/secrets.ts'
import { getImage, type OwnerRequest } from '../images/managed-image.ts'
import type { SourceImage, VariantRequest } from './variant-plan.ts'

/** @throws {Failure} as getImage */
export async function signVariant(
  deps: Deps,
  request: OwnerRequest & { body: EngineQuery & { token?: string | undefined } },
) {
  const { id, file_name: fileName } = await getImage(deps, request)
  const { token: _, ...query } = request.body
  const extension = fileName.slice(fileName.lastIndexOf('.') + 1)
  const signed = { ...query, sig: variantSignature(deps, id, query) }
  return { url: imageUrls.file(request.baseUrl, id, extension, signed) }
}

/** Of an image and its parameters, in any order. It does not expire. */
export function variantSignature({ jwtSecret }: Pick<Deps, 'jwtSecret'>, id: string, query: EngineQuery): string {
  const parameters = Object.entries(query)
    .filter(([name, value]) => name !== 'sig' && name !== 'key' && value !== undefined)
    .map(([name, value]) => `${name}=${value}`)
    .sort()
  return createHmac('sha256', jwtSecret)
    .update(['variant', id, ...parameters].join('\n'))
    .digest('base64url')
}

export function isSigned(deps: Pick<Deps, 'jwtSecret'>, { id }: { id: string }, query: EngineQuery): boolean {
  return query.sig !== undefined && secretMatches(query.sig, hashSecret(variantSignature(deps, id, query)))
}

/** @throws {Failure} signature_required */
export function assertNeedsNoSignature(
  { config }: Pick<Deps, 'config'>,
  image: SourceImage,
  request: VariantRequest,
): void {
  if (config.SIGN_VARIANTS && !isUsual(image, request)) throw new Failure('signature_required')
}

/** Whether the page, an embed code or a loader requests it: a whole image in a width of the ladder, without effects. */
function isUsual(image: SourceImage, request: VariantRequest): boolean {
  const { format: _, fit, width, height, quality, keepsAnimation: __, ...effects } = request
  const isOnLadder = width === undefined || width === ladderWidth(width) || width >= image.width
  const isWhole = height === undefined || (fit === 'inside' && height === width)
  const isPlain = Object.values(effects).every((effect) => effect === undefined)
  return isOnLadder && isWhole && isPlain && quality === limits.variant.defaultQuality
}
