// Makes caches in front of the servers drop images that are no longer served: an outbox, and a
// signed request to PURGE_URL (docs/decisions/0047).
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Deps } from '../shared/deps.ts'
import { newId } from '../shared/secrets.ts'
import { signedHeaders } from '../webhooks/sign-deliveries.ts'

type OutboxDeps = Pick<Deps, 'config' | 'db' | 'now'>

const maxImagesPerRequest = 500
/** Of each request to PURGE_URL. */
const timeoutMs = 5000
/** After a failure. */
const retryMs = 5000
/** A cache may store a response that was under way during the purge: after this time it is purged again. */
const repeatAfterMs = 30_000

class PurgeFailed extends Error {
  override name = 'PurgeFailed'
}

const requests = new AsyncLocalStorage<{ hasQueuedPurges: boolean }>()

/** @param run starts the handler of a request, whose purges {@link purgeBeforeResponse} awaits */
export const trackPurges = (run: () => void): void => requests.run({ hasQueuedPurges: false }, run)

function noteQueued(): void {
  const request = requests.getStore()
  if (request) request.hasQueuedPurges = true
}

/**
 * Purges what the request under way has queued. After a failure responses do not wait until a retry
 * of the job succeeds.
 */
export async function purgeBeforeResponse(deps: Deps): Promise<void> {
  if (requests.getStore()?.hasQueuedPurges === true && !pausedUntil.has(deps)) await purgeCaches(deps)
}

/**
 * Queues the purge of images.
 * @param deps.db the transaction after which the images are not served any more
 * @param ids at most a few thousand
 */
export async function queuePurges({ config, db, now }: OutboxDeps, ids: readonly string[]): Promise<void> {
  if (config.PURGE_URL === undefined || ids.length === 0) return
  noteQueued()
  const due = { due_at: now(), is_repeated: 0 as const }
  await db
    .insertInto('cache_purges')
    .values(ids.map((id) => ({ image_id: id, ...due })))
    .onConflict((conflict) => conflict.column('image_id').doUpdateSet(due))
    .execute()
}

/** The same for all images of an account. */
export async function queuePurgesOfOwner({ config, db, now }: OutboxDeps, ownerId: string): Promise<void> {
  if (config.PURGE_URL === undefined) return
  noteQueued()
  await db
    .insertInto('cache_purges')
    .columns(['image_id', 'due_at', 'is_repeated'])
    .expression((select) =>
      select
        .selectFrom('images')
        .select((image) => ['id', image.val(now()).as('due_at'), image.val(0 as const).as('is_repeated')])
        .where('owner_id', '=', ownerId),
    )
    .onConflict((conflict) => conflict.column('image_id').doUpdateSet({ due_at: now(), is_repeated: 0 }))
    .execute()
}

/** Since a failure, until a purge succeeds. */
const pausedUntil = new WeakMap<Deps, number>()

/** The last run that was started, and the one that follows when it has ended. */
interface Runs {
  last: Promise<unknown>
  next?: Promise<{ purged: number }> | undefined
}

const runsOf = new WeakMap<Deps, Runs>()

/**
 * Purges what is due. Calls during a run share the next one, which sees what they queued. Never
 * rejects: what fails is tried again. Two servers may purge the same image, which has no effect.
 */
export function purgeCaches(deps: Deps): Promise<{ purged: number }> {
  const runs: Runs = runsOf.get(deps) ?? { last: Promise.resolve() }
  runsOf.set(deps, runs)
  runs.next ??= runs.last.then(() => {
    runs.next = undefined
    const run = purgeDue(deps)
    runs.last = run
    return run
  })
  return runs.next
}

async function purgeDue(deps: Deps): Promise<{ purged: number }> {
  const { PURGE_URL: url } = deps.config
  let purged = 0
  if (url === undefined || performance.now() < (pausedUntil.get(deps) ?? 0)) return { purged }
  // Later purges are those of the next run: this one ends also when images are deleted all the time.
  const startedAt = deps.now()
  try {
    for (;;) {
      const due = await deps.db
        .selectFrom('cache_purges')
        .select(['image_id', 'due_at'])
        .where('due_at', '<=', startedAt)
        .orderBy('due_at')
        .limit(maxImagesPerRequest)
        .execute()
      if (due.length === 0) break
      const ids = due.map(({ image_id: id }) => id)
      await requestPurge(deps, url, ids)
      await setPurged(deps, ids, due.at(-1)?.due_at ?? 0)
      purged += ids.length
    }
    pausedUntil.delete(deps)
  } catch (error) {
    pausedUntil.set(deps, performance.now() + retryMs)
    deps.log.error({ err: error }, 'Caches could not be purged (PURGE_URL)')
  }
  return { purged }
}

/** @throws {RemoteFailed | PurgeFailed} */
async function requestPurge(deps: Deps, url: string, images: string[]): Promise<void> {
  const id = newId(deps)
  const body = JSON.stringify({ type: 'cache.purge', timestamp: new Date(deps.now()).toISOString(), data: { images } })
  const secrets = { secret: deps.config.PURGE_SECRET ?? '', old_secret: null, old_secret_until: null }
  const response = await deps.remote.request(new URL(url), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      'user-agent': 'Image Host',
      ...signedHeaders(secrets, { id, body }, deps.now()),
    },
    body,
    allowPrivate: true,
    signal: AbortSignal.timeout(timeoutMs),
  })
  // Only the status counts; the response body is not read.
  response.destroy()
  const { statusCode = 0 } = response
  if (statusCode < 200 || statusCode > 299) throw new PurgeFailed(`It responded with the status ${statusCode}`)
}

/** @param dueAt of the newest purge: those queued since stay */
async function setPurged({ db, now }: Pick<Deps, 'db' | 'now'>, ids: string[], dueAt: number): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await transaction
      .deleteFrom('cache_purges')
      .where('image_id', 'in', ids)
      .where('due_at', '<=', dueAt)
      .where('is_repeated', '=', 1)
      .execute()
    await transaction
      .updateTable('cache_purges')
      .set({ due_at: now() + repeatAfterMs, is_repeated: 1 })
      .where('image_id', 'in', ids)
      .where('due_at', '<=', dueAt)
      .execute()
  })
}
