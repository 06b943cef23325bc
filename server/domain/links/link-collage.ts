// The preview of a link with several images: four of them in one. It is made of what visitors see now, at most, and with what
// the link draws over it; its name says of which images and how, so that a change makes another one.
import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { limits } from '../../../contract/plain/limits.ts'
import type { CachedFile } from '../../blobs/cached-file.ts'
import type { LinksTable } from '../../db/schema.ts'
import { removeTemporary } from '../delivery/put-in-variant-cache.ts'
import { keyPartOf, planViewed } from '../delivery/variant-plan.ts'
import { getOrRenderVariant } from '../delivery/variants.ts'
import { getOrRender, type Visitor } from '../delivery/render-variant.ts'
import type { ImageRow } from '../images/image-row.ts'
import { fullAccess } from '../images/may-view.ts'
import { accessOf, isRestricted, maxSizeOf } from '../images/sharing/link-state.ts'
import { cellOf, columnsFor } from '../../imaging/collage-cells.ts'
import type { Deps } from '../shared/deps.ts'
import { Failure } from '../shared/failure.ts'
import { newId } from '../shared/secrets.ts'
import type { OpenLink } from './open-link.ts'

const count = limits.share.collage.images

export interface LinkCollage {
  rows: ImageRow[]
  columns: 2 | 4
  /** Differs for other images, another order, and other settings of the link. */
  version: string
}

/**
 * Null where the link has a password, or fewer images than a collage; images with limited views are left out, since a preview
 * must not use a view.
 */
export function collageOf({ link, images }: Pick<OpenLink, 'link' | 'images'>): LinkCollage | null {
  if (link.password_hash !== null) return null
  const rows = images.filter(({ views_left: left }) => left === null).slice(0, count)
  if (rows.length < count) return null
  const columns = columnsFor(rows)
  const settings = [link.id, link.watermark, maxSizeOf(link), columns, ...rows.map(({ id }) => id)]
  const version = createHash('sha256').update(JSON.stringify(settings)).digest('hex').slice(0, 16)
  return { rows, columns, version }
}

/** Rendered at the first request, and cached with the first of its images. @throws {Failure} as getOrRenderVariant */
export async function renderCollage(
  deps: Deps,
  link: LinksTable,
  { rows, columns, version }: LinkCollage,
  visitor: Visitor,
): Promise<CachedFile> {
  const [first] = rows
  if (!first) throw new Failure('link_not_found')
  const access = isRestricted(link) ? accessOf(link) : fullAccess
  return getOrRender(deps, first, {
    key: `collage${keyPartOf(link.id)}${version}.jpg`,
    visitor,
    mayUseIntermediate: true,
    async render({ outPath }, context) {
      const parts: Buffer[] = []
      for (const [at, found] of rows.entries()) {
        const row = { ...found, ...access }
        const { width, height } = cellOf(at, columns)
        const quality = limits.variant.defaultQuality
        const cell = { width, height, format: 'jpeg', fit: 'cover', quality, keepsAnimation: false } as const
        const part = await getOrRenderVariant(deps, row, visitor, planViewed(row, cell))
        parts.push(await part.read())
      }
      // One file, as every job of a decoder has.
      const sourcePath = join(deps.tempDir, `parts-${newId(deps)}`)
      try {
        await writeFile(sourcePath, Buffer.concat(parts))
        await deps.imaging.collage({ sourcePath, outPath, parts: parts.map(({ length }) => length), columns }, context)
      } finally {
        await removeTemporary(deps.log, sourcePath)
      }
    },
  })
}
