// The queue of a signed-in user, on every page. IndexedDB restores it after a reload.
import { addImage } from '../../../model/images/images.ts'
import { session } from '../../../model/session.ts'
import { readToken } from '../../../model/storage.ts'
import { useStore } from '../../../model/store.ts'
import { token } from '../../../model/token.ts'
import { converterCount, prepareImage } from './prepare-image.ts'
import { sendImage } from './send-image.ts'
import { endAllStarted, endStarted } from './started-uploads.ts'
import { createUploadEngine, type NewUpload } from './upload-engine.ts'
import { afterEvent, canRetry, idsOf, isUnderWay, newItem, type UploadItem } from './upload-state.ts'
import { clearStoredUploads, deleteStoredUploads, putUploads, adoptUploads } from './upload-storage.ts'

const parallelUploads = 3
const perTransaction = 20

const engine = createUploadEngine({
  prepare: prepareImage,
  send: sendImage,
  maxPreparing: converterCount,
  maxSending: parallelUploads,
  onCancelled({ id }) {
    if (!isSuspended()) endStarted(id)
  },
  onEvent(item, { type }) {
    if (type === 'prepared' && item.prepared?.outcome === 'converted') void persist([item])
    if (type === 'done' || (type === 'failed' && !canRetry(item))) void deleteStoredUploads([item.id])
    if (item.image !== undefined && type === 'done') addImage(item.image)
  },
})

export const useUploads = () => useStore(engine.store)
export const cancelUploads = (ids: ReadonlySet<string>) => remove(ids)
export const retryUploads = engine.retry

let restoredFor: string | undefined
/** Position in the queue by id, for the order after a reload. */
const orders = new Map<string, number>()
let lastOrder = 0

/** The login may come back: another tab has replaced the token, or its user could not be loaded. */
const isSuspended = () => token.get() === null && readToken() !== null

// The next user of this browser must not see the uploads of this one.
token.subscribe(() => {
  if (token.get() !== null) return
  restoredFor = undefined
  engine.remove(idsOf(engine.store.get()))
  // Its user continues these, others delete them.
  if (isSuspended()) return
  endAllStarted()
  void clearStoredUploads()
})
addEventListener('online', engine.wake)

/** Files with a refusal are listed with it and not sent. */
export function enqueue(uploads: readonly NewUpload[]): void {
  void persist(engine.add(uploads).filter(isUnderWay))
}

/** Continues the uploads that an earlier visit of this user has left. */
export async function restoreUploads(userId: string): Promise<void> {
  if (restoredFor === userId) return
  restoredFor = userId
  const stored = await adoptUploads(userId)
  const listed = idsOf(engine.store.get())
  const left = stored.filter(({ id }) => !listed.has(id))
  if (restoredFor !== userId || left.length === 0) return
  const now = Date.now()
  lastOrder += Math.max(...left.map(({ order }) => order))
  for (const { id, order } of left) orders.set(id, order)
  engine.restore(
    left.map(({ id, file, isPrepared }) => {
      const item = newItem(id, file, now)
      const prepared = { file, outcome: 'unchanged' } as const
      return isPrepared ? afterEvent(item, { type: 'prepared', prepared }, now) : item
    }),
  )
}

/** Removes what is done, failed or refused. */
export const clearUploads = () => remove(idsOf(engine.store.get().filter((item) => !isUnderWay(item))))

function remove(ids: ReadonlySet<string>): void {
  engine.remove(ids)
  void deleteStoredUploads([...ids])
}

/** In parts: a browser that refuses more bytes keeps those before. */
async function persist(items: readonly UploadItem[]): Promise<void> {
  const current = session.get()
  if (current.status !== 'in') return
  const { id: userId } = current.user
  for (let at = 0; at < items.length; at += perTransaction) {
    const ids = idsOf(items.slice(at, at + perTransaction))
    // As they are by now: some may be done or converted.
    const left = engine.store.get().filter((item) => ids.has(item.id) && isUnderWay(item))
    await putUploads(
      left.map(({ id, file, prepared }) => ({
        id,
        userId,
        order: orderOf(id),
        file: prepared?.file ?? file,
        isPrepared: prepared !== undefined,
      })),
    )
  }
}

function orderOf(id: string): number {
  const order = orders.get(id) ?? ++lastOrder
  orders.set(id, order)
  return order
}
