// Mail to users whose images expire soon: at most one digest a day, each expiry once.
import { accountLimits } from '../../../contract/plain/account-limits.ts'
import { dayMs, limits } from '../../../contract/plain/limits.ts'
import type { Deps, InTransaction } from '../shared/deps.ts'
import { queueMail } from './mail-queue.ts'
import { expiryDigest, mailSite } from './mail-texts.ts'
import { unsubscribeUrl } from './unsubscribe.ts'

/** Images read per query. */
const batchSize = 500

interface Period {
  now: number
  until: number
}

/**
 * Queues a digest for each user who wants one and has images that expire within 7 days.
 * @param now UTC milliseconds of the trusted clock: a wrong clock must not announce expiries
 */
export async function sendExpiryDigests(deps: Deps, now: number): Promise<{ digests: number; images: number }> {
  const result = { digests: 0, images: 0 }
  if (!deps.mail) return result
  const period = { now, until: now + limits.expiryNoticeDays * dayMs }
  const seen = new Set<string>()
  for await (const owners of ownersToNotify(deps, period)) {
    for (const owner of owners.filter((id) => !seen.has(id))) {
      seen.add(owner)
      const images = await queueDigest(deps, owner, period)
      result.images += images
      if (images > 0) result.digests++
    }
  }
  return result
}

/** Pages through the index of expiries, so that no query reads more than one batch. */
async function* ownersToNotify(deps: Deps, { now, until }: Period): AsyncIterable<string[]> {
  let after = { expiresAt: now, id: '' }
  for (;;) {
    const batch = await deps.db
      .selectFrom('images')
      .select(['id', 'owner_id', 'expires_at'])
      .select((images) =>
        images
          .selectFrom('expiry_notices')
          .select('expiry_notices.expires_at')
          .whereRef('expiry_notices.image_id', '=', 'images.id')
          .as('announced'),
      )
      .where((where) => where(where.refTuple('expires_at', 'id'), '>', where.tuple(after.expiresAt, after.id)))
      .where('expires_at', '<=', until)
      .orderBy('expires_at')
      .orderBy('id')
      .limit(batchSize)
      .execute()
    const last = batch.at(-1)
    if (!last) return
    after = { expiresAt: last.expires_at, id: last.id }
    const owners = batch.flatMap((image) => (image.announced === image.expires_at ? [] : (image.owner_id ?? [])))
    yield [...new Set(owners)]
  }
}

/** @returns the number of images in the digest; 0 when this user gets none now */
async function queueDigest(deps: Deps, userId: string, period: Period): Promise<number> {
  try {
    return await deps.db.transaction().execute(async (db) => {
      const within = { ...deps, db }
      if (!(await claimUser(within, userId, period.now))) return 0
      const announced = await announce(within, userId, period)
      if (announced.length > 0) await queueMailAbout(within, userId, announced)
      return announced.length
    })
  } catch (error) {
    // An image or user was deleted meanwhile, or the data is unexpected: continue with others.
    deps.log.error({ err: error, user: userId }, 'An expiry digest could not be queued')
    return 0
  }
}

/**
 * Whether this server sends this user a digest now: the user wants it, got none today, and no other
 * server is sending one. The row is written first and blocks other servers until the transaction
 * ends.
 */
async function claimUser(deps: Deps, userId: string, now: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await deps.db
    .insertInto('expiry_digests')
    .columns(['user_id', 'sent_at'])
    .expression((query) =>
      query
        .selectFrom('users')
        .select(['users.id', query.cast<number>(query.val(now), 'bigint').as('sent_at')])
        .where('users.id', '=', userId)
        .where('users.mail_digest', '=', 1)
        .where('users.status', '=', 'Active')
        .where('users.email_confirmed_at', 'is not', null),
    )
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet({ sent_at: now })
        .where('expiry_digests.sent_at', '<=', now - accountLimits.digest.everyMs),
    )
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** Marks every image to announce. @returns the images, the first to expire first */
async function announce(deps: Deps, userId: string, { now, until }: Period) {
  const announced = await deps.db
    .insertInto('expiry_notices')
    .columns(['image_id', 'expires_at'])
    .expression((query) =>
      query
        .selectFrom('images')
        .select(['images.id', 'images.expires_at'])
        .where('images.owner_id', '=', userId)
        .where('images.quarantined_at', 'is', null)
        .where('images.expires_at', '>', now)
        .where('images.expires_at', '<=', until)
        .where((where) =>
          where.not(
            where.exists(
              where
                .selectFrom('expiry_notices')
                .select('expiry_notices.image_id')
                .whereRef('expiry_notices.image_id', '=', 'images.id')
                .whereRef('expiry_notices.expires_at', '=', 'images.expires_at'),
            ),
          ),
        ),
    )
    .onConflict((conflict) =>
      conflict.column('image_id').doUpdateSet((update) => ({ expires_at: update.ref('excluded.expires_at') })),
    )
    .returning(['image_id', 'expires_at'])
    .execute()
  return announced.toSorted((a, b) => a.expires_at - b.expires_at)
}

async function queueMailAbout(
  deps: InTransaction<Deps>,
  userId: string,
  announced: { image_id: string; expires_at: number }[],
): Promise<void> {
  const first = announced.slice(0, accountLimits.digest.maxListed).map((image) => image.image_id)
  const listed = await deps.db
    .selectFrom('images')
    .select(['file_name', 'expires_at'])
    .where('id', 'in', first)
    .orderBy('expires_at')
    .orderBy('id')
    .execute()
  await queueMail(deps, {
    userId,
    ...expiryDigest(mailSite(deps), { listed, total: announced.length, unsubscribeUrl: unsubscribeUrl(deps, userId) }),
    // After the last of them has expired there is nothing to announce.
    dropAt: announced.at(-1)?.expires_at ?? deps.now(),
  })
}
