import { z } from 'zod'
import { dayMs, limits } from '../../../contract/plain/limits.ts'
import { expiryText } from '../../db/never-expires.ts'
import { audit } from '../audit/audit.ts'
import { queuePurges } from '../images/cache-purges.ts'
import { Failure } from '../shared/failure.ts'
import { systemCollection } from '../shared/system-collection.ts'
import { displayName } from '../images/image-names.ts'
import { tagsOf } from '../images/image-row.ts'
import { countStoredImages } from '../images/owner-counts.ts'
import { removeImages } from '../images/deletion/remove-images.ts'

export const imagesCollection = systemCollection({
  table: 'images',
  show: (row) => ({
    file_name: row.file_name,
    original_name: row.original_name,
    owner_id: row.owner_id,
    is_guest: row.owner_id === null,
    format: row.format,
    width: row.width,
    height: row.height,
    frames: row.frames,
    has_alpha: row.has_alpha === 1,
    size: row.bytes,
    sha256: row.sha256,
    placeholder: row.placeholder,
    title: row.title,
    alt: row.alt,
    slug: row.slug,
    address_hash: row.address_hash,
    // Of a deleted image the expiry that it had.
    expires_at: expiryText(row.undo_expires_at ?? row.expires_at),
    restorable_until: row.undo_until === null ? null : new Date(row.undo_until).toISOString(),
    views_left: row.views_left,
    views: row.views,
    visibility: row.visibility,
    tags: tagsOf(row),
    quarantined_at: row.quarantined_at === null ? null : new Date(row.quarantined_at).toISOString(),
  }),
  total: countStoredImages,
  editable: z.strictObject({
    original_name: z.string().trim().min(1).max(limits.upload.maxNameLength).optional(),
    expires_at: z.iso.datetime().optional(),
  }),
  async update(deps, { caller, address, id, fields }) {
    const now = deps.now()
    await deps.db.transaction().execute(async (db) => {
      const { numUpdatedRows } = await db
        .updateTable('images')
        .set({
          ...(fields.original_name === undefined ? {} : { original_name: displayName(fields.original_name) }),
          ...(fields.expires_at === undefined ? {} : { expires_at: readExpiry(fields.expires_at, now) }),
        })
        .where('id', '=', id)
        // A deleted or expired image is not restored.
        .where('expires_at', '>', now)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) throw new Failure('image_gone')
      // Caches store the image until its previous expiry.
      if (fields.expires_at !== undefined) await queuePurges({ ...deps, db }, [id])
      const details = { fields: Object.keys(fields) }
      await audit({ ...deps, db }, { actor: caller, address, action: 'image_updated', target: { id }, details })
    })
  },
  remove: async (deps, { caller, address, ids }) =>
    (await removeImages(deps, ids, { actor: caller, address, action: 'image_deleted' })).images,
})

/** Accepts times from now to the end of an extension. @throws {Failure} invalid_input */
function readExpiry(expiresAt: string, now: number): number {
  const at = Date.parse(expiresAt)
  if (at > now && at <= now + limits.extensionDays * dayMs) return at
  throw new Failure('invalid_input', {
    field: 'expires_at',
    problem: `must lie between now and ${limits.extensionDays} days from now`,
  })
}
