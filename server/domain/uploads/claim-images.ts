// Transfers guests' images to a user.
import type { Input } from '../../../contract/endpoints/api.ts'
import type { Image } from '../../../contract/endpoints/images.ts'
import { keptExpiry } from '../../db/never-expires.ts'
import type { Account, UserCaller } from '../shared/caller.ts'
import type { Deps, RequestContext } from '../shared/deps.ts'
import { secretMatches } from '../shared/secrets.ts'
import { claimGuestAlbums } from '../albums/claim-guest-albums.ts'
import { assertWithinQuota } from '../images/quota.ts'
import { countForOwner } from '../images/owner-counts.ts'
import { lifetimeOf } from '../images/expiry/expiry-by-role.ts'
import { type ImageRow, toImage } from '../images/image-row.ts'
import { assertOwnerExists } from './store-row.ts'

/** The ids of images, and their delete tokens. */
type Claims = Input<'claimImages'>['body']['images']
type Body = Pick<Input<'claimImages'>['body'], 'images' | 'albums'>

/**
 * Images that the caller already owns are returned as well, so that a call can be repeated after a
 * lost response.
 * @throws {Failure} quota_exceeded, and no image is transferred; invalid_token: the account was deleted
 * meanwhile
 */
export async function claimImages(
  deps: Deps,
  { caller, body: { images: claims, albums = [] }, ...origins }: RequestContext<UserCaller> & { body: Body },
) {
  const ownerId = caller.account.id
  const proven = await claimableRows(deps, claims)
  if (proven.length > 0 || albums.length > 0) await assignTo(deps, caller.account, proven, albums)

  const ids = [...new Set(claims.map(({ id }) => id))]
  const rows = await deps.db
    .selectFrom('images')
    .selectAll()
    .where('id', 'in', ids)
    .where('owner_id', '=', ownerId)
    .where('expires_at', '>', deps.now())
    .execute()
  const rowOf = new Map(rows.map((row) => [row.id, row]))
  const images: Image[] = ids.flatMap((id) => rowOf.get(id) ?? []).map((row) => toImage(deps, row, origins))
  return { success: true as const, images }
}

/** Returns the guests' images whose token matches. */
async function claimableRows(deps: Deps, claims: Claims): Promise<ImageRow[]> {
  const rows = await deps.db
    .selectFrom('images')
    .selectAll()
    .where(
      'id',
      'in',
      claims.map(({ id }) => id),
    )
    .where('owner_id', 'is', null)
    .where('quarantined_at', 'is', null)
    .where('expires_at', '>', deps.now())
    .execute()
  return rows.filter(({ id, guest_token_hash: hash }) =>
    claims.some((claim) => claim.id === id && hash !== null && secretMatches(claim.token, hash)),
  )
}

/** Images deleted, quarantined or claimed by another user since they were read are skipped. */
async function assignTo(deps: Deps, { id: ownerId, role }: Account, rows: ImageRow[], albums: Claims): Promise<void> {
  const lifetime = lifetimeOf(deps.config, role, undefined)
  try {
    await deps.db.transaction().execute(async (transaction) => {
      const given = await transaction
        .updateTable('images')
        .set((image) => ({
          owner_id: ownerId,
          guest_token_hash: null,
          ...(lifetime.ms === null
            ? { expires_at: keptExpiry }
            : {
                expires_at: image
                  .case()
                  .when(image('expires_at', '<', image('created_at', '+', lifetime.ms)))
                  .then(image('created_at', '+', lifetime.ms))
                  .else(image.ref('expires_at'))
                  .end(),
              }),
          expires_after_view_days: lifetime.afterViewDays,
        }))
        .where(
          'id',
          'in',
          rows.map(({ id }) => id),
        )
        .where('owner_id', 'is', null)
        .where('guest_token_hash', 'is not', null)
        .where('quarantined_at', 'is', null)
        .where('expires_at', '>', deps.now())
        .returning(['id', 'bytes'])
        .execute()
      await claimGuestAlbums({ ...deps, db: transaction }, ownerId, { imageIds: given.map(({ id }) => id), albums })
      const bytes = given.reduce((sum, row) => sum + row.bytes, 0)
      if (given.length === 0) return
      const owner = await countForOwner(transaction, ownerId, { images: given.length, bytes })
      if (owner) assertWithinQuota(deps.config, owner)
    })
  } catch (error) {
    await assertOwnerExists(deps, ownerId)
    throw error
  }
}
