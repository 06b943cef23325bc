// Variants of an image, made when they are first asked for and kept. What each looks like is a row of the table.
import { createHash, randomUUID } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { limits } from '../../../contract/limits.ts'
import { BlobMissing } from '../../blobs/blob-store.ts'
import { ImagingBusy } from '../../imaging/imaging.ts'
import type { Deps } from '../deps.ts'
import { Failure } from '../failure.ts'
import { formats } from './formats.ts'
import { type ImageRow, liveImage } from './record.ts'
import { planVariant, type VariantPlan, type VariantRequest } from './variant-plan.ts'

/** Made in the decode that checks an upload; variants up to 800 pixels come from it (twice as fast, visually equal). */
export const intermediateKey = 'intermediate'
/** The name under which the thumbnail made at the upload is found by the requests for it. */
export const thumbnailKey = (row: ImageRow) => planVariant(row, thumbnail(limits.variant.thumbnailPx)).key

/** A picture as it is delivered. */
export interface ServedImage {
  mime: string
  fileName: string
  expiresAt: number
  /** Strong: of the bytes. Without its quotes. */
  etag: string
  bytes: Buffer
}

type Id = { params: { id: string } }
type Width = { params: { id: string; width: number } }

export const getThumbnail = (deps: Deps, { params }: Width) => variant(deps, params.id, thumbnail(params.width))

export const getResized = (deps: Deps, { params }: Width) =>
  variant(deps, params.id, { format: 'own', width: params.width, fit: 'inside', quality, keepsAnimation: true })

export const getResizedToBox = (
  deps: Deps,
  {
    params,
    query,
  }: Width & { params: { height: number }; query: { fit?: 'cover' | 'contain' | 'inside' | undefined } },
) =>
  variant(deps, params.id, {
    format: 'own',
    width: params.width,
    height: params.height,
    fit: query.fit ?? 'cover',
    quality,
    keepsAnimation: true,
  })

export const getJpeg = (deps: Deps, { params }: Width) =>
  variant(deps, params.id, { format: 'jpeg', width: params.width, fit: 'inside', quality, keepsAnimation: false })

export const getWebp = (
  deps: Deps,
  { params, query }: Id & { params: { quality: number }; query: { width?: number | undefined } },
) =>
  variant(deps, params.id, {
    format: 'webp',
    ...(query.width === undefined ? {} : { width: query.width }),
    fit: 'inside',
    quality: params.quality,
    keepsAnimation: true,
  })

const quality = limits.variant.defaultQuality

function thumbnail(sidePx: number): VariantRequest {
  return {
    format: 'webp',
    width: sidePx,
    height: sidePx,
    fit: 'inside',
    quality: limits.variant.defaultQuality,
    keepsAnimation: false,
  }
}

/** @throws {Failure} image_gone, image_not_found, busy */
async function variant(deps: Deps, id: string, request: VariantRequest): Promise<ServedImage> {
  const row = await liveImage(deps, 'id', id)
  const plan = planVariant(row, request)
  const bytes = (await deps.variants.read(id, plan.key)) ?? (await renderOnce(deps, row, plan))
  return {
    mime: formats[plan.format].mime,
    fileName: row.file_name.replace(/\.\w+$/, `.${formats[plan.format].extension}`),
    expiresAt: row.expires_at,
    etag: createHash('sha256').update(bytes).digest('base64url').slice(0, 27),
    bytes,
  }
}

/** Renders under way, by image and variant: whoever asks for the same meanwhile waits for the same (single flight). */
const underWay = new WeakMap<Deps, Map<string, Promise<Buffer>>>()

function renderOnce(deps: Deps, row: ImageRow, plan: VariantPlan): Promise<Buffer> {
  const renders = underWay.get(deps) ?? new Map<string, Promise<Buffer>>()
  underWay.set(deps, renders)
  const key = `${row.id}/${plan.key}`
  const running = renders.get(key)
  if (running) return running
  const render = renderVariant(deps, row, plan).finally(() => renders.delete(key))
  renders.set(key, render)
  return render
}

async function renderVariant(deps: Deps, row: ImageRow, plan: VariantPlan): Promise<Buffer> {
  const outPath = join(deps.tempDir, `render-${randomUUID()}`)
  const renderFrom = (sourcePath: string) => deps.imaging.render({ ...plan.job, sourcePath, outPath })
  try {
    const intermediate = plan.mayUseIntermediate ? deps.variants.pathOf(row.id, intermediateKey) : null
    if (intermediate !== null) await renderFrom(intermediate)
    else await deps.blobs.withLocalFile(row.id, renderFrom)
    const bytes = await readFile(outPath)
    await deps.variants.put(row.id, plan.key, outPath)
    return bytes
  } catch (error) {
    await rm(outPath, { force: true })
    if (error instanceof ImagingBusy) throw new Failure('busy', {}, { cause: error, retryAfterS: 2 })
    // Deleted between its row and its bytes: gone, as a moment later it would have been anyway.
    if (error instanceof BlobMissing) await liveImage(deps, 'id', row.id)
    throw error
  }
}
