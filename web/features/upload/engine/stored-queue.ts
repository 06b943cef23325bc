// A queue of several uploads that IndexedDB restores after a reload: of a user (user-queue.ts), or of a guest
// (guest-queue.ts).
import type { Store } from '../../../model/store.ts'
import type { Folder } from '../drop/folder-of-file.ts'
import { fingerprintOf, renameStarted } from './started-uploads.ts'
import { createUploadEngine, type NewUpload, type UploadRole } from './upload-engine.ts'
import { afterEvent, canRetry, idsOf, isUnderWay, newItem, type UploadItem } from './upload-state.ts'
import { adoptUploads, deleteStoredUploads, putUploads } from './upload-storage.ts'

export interface StoredQueue {
  store: Store<readonly UploadItem[]>
  /** Files with a refusal are listed with it and not sent. */
  enqueue: (uploads: readonly NewUpload[]) => void
  /** Continues the uploads that an earlier visit has left. @returns whether there were any */
  restore: () => Promise<boolean>
  /** Lists what an earlier visit has uploaded, each at its position in the queue. */
  list: (done: readonly { item: UploadItem; order: number }[]) => void
  /** Goes on with uploads that a page has begun, each by itself, and left. */
  take: (items: readonly UploadItem[]) => void
  cancel: (ids: ReadonlySet<string>) => void
  retry: (ids: ReadonlySet<string>) => void
  /** Tries at once what waits for the connection. */
  wake: () => void
  /** The position of an upload among those of its visit, before a reload and after. */
  orderOf: (id: string) => number
  /** Forgets what is uploaded: a reload does not list it. */
  forgetDone: () => void
  /** Removes what is done, failed or refused. */
  clear: () => void
  /** Stops all, and keeps what is stored of them. */
  stop: () => void
}

const perTransaction = 20

/**
 * @param ownerOf whose uploads are stored now; undefined: they last for this visit only
 * @param isPending whether there is something left to do with the images of a folder
 */
export function createStoredQueue(
  role: UploadRole,
  ownerOf: () => string | undefined,
  isPending: (folder: Folder | undefined) => boolean = () => false,
): StoredQueue {
  const engine = createUploadEngine({
    ...role,
    onEvent(item, event) {
      const { type } = event
      if (type === 'prepared' && item.prepared?.outcome === 'converted') void persist([item])
      const isRefused = type === 'failed' && !canRetry(item)
      if (type === 'done' && item.folder !== undefined) void persistDone(item)
      else if (type === 'done') void deleteStoredUploads([item.id])
      else if (isRefused) void persistRefused([item])
      if (type === 'done' || isRefused) forgetRefused()
      role.onEvent?.(item, event)
    },
  })
  /** Position in the queue by id, for the order after a reload. */
  const orders = new Map<string, number>()
  let lastOrder = 0
  let restoredFor: string | undefined
  addEventListener('online', engine.wake)

  async function restore(): Promise<boolean> {
    const owner = ownerOf()
    if (owner === undefined || restoredFor === owner) return false
    restoredFor = owner
    const stored = await adoptUploads(owner)
    const listed = idsOf(engine.store.get())
    const left = stored.filter(({ id }) => !listed.has(id))
    if (restoredFor !== owner || left.length === 0) return false
    if (left.every(({ image, folder, problem }) => problem ?? (image && !isPending(folder)))) {
      void deleteStoredUploads(left.map(({ id }) => id))
      return false
    }
    const now = Date.now()
    lastOrder += Math.max(...left.map(({ order }) => order))
    for (const { id, order } of left) orders.set(id, order)
    engine.restore(
      left.map(({ id, file, isPrepared, isSingle, album, folder, image, problem }) => {
        if (isSingle === true) renameStarted(fingerprintOf(file), id)
        const item = newItem(id, file, now, { album, folder })
        if (image !== undefined) return afterEvent(item, { type: 'done', image }, now)
        if (problem?.kind === 'refused') return { ...item, stage: 'refused', problem }
        if (problem !== undefined) return afterEvent(item, { type: 'failed', problem }, now)
        const prepared = { file, outcome: 'unchanged' } as const
        return isPrepared ? afterEvent(item, { type: 'prepared', prepared }, now) : item
      }),
    )
    return true
  }

  function take(items: readonly UploadItem[]): void {
    for (const { id, file, prepared } of items) renameStarted(fingerprintOf(prepared?.file ?? file), id)
    engine.restore(items.map((item) => afterEvent(item, { type: 'retry' }, Date.now())))
    void persist(items)
  }

  function list(done: readonly { item: UploadItem; order: number }[]): void {
    for (const { item, order } of done) orders.set(item.id, order)
    engine.restore(done.map(({ item }) => item))
    engine.store.set(engine.store.get().toSorted((a, b) => orderOf(a.id) - orderOf(b.id)))
  }

  function cancel(ids: ReadonlySet<string>): void {
    engine.remove(ids)
    void deleteStoredUploads([...ids])
  }

  /** In parts: a browser that refuses more bytes keeps those before. */
  async function persist(items: readonly UploadItem[]): Promise<void> {
    const userId = ownerOf()
    if (userId === undefined) return
    for (let at = 0; at < items.length; at += perTransaction) {
      const ids = idsOf(items.slice(at, at + perTransaction))
      // As they are by now: some may be done or converted.
      const left = engine.store.get().filter((item) => ids.has(item.id) && isUnderWay(item))
      await putUploads(
        left.map(({ id, file, prepared, album, folder }) => ({
          id,
          album,
          folder,
          userId,
          order: orderOf(id),
          file: prepared?.file ?? file,
          isPrepared: prepared !== undefined,
        })),
      )
    }
  }

  /** As an empty file: a reload lists it with the rest of its folder. */
  async function persistDone({ id, file, folder, image }: UploadItem): Promise<void> {
    const userId = ownerOf()
    const empty = new File([], file.name)
    if (userId !== undefined)
      await putUploads([{ id, userId, folder, image, order: orderOf(id), file: empty, isPrepared: true }])
  }

  /** A reload in the middle still says what was left out. */
  async function persistRefused(items: readonly UploadItem[]): Promise<void> {
    const userId = ownerOf()
    if (userId === undefined || items.length === 0) return
    await putUploads(
      items.map(({ id, file: { name, type }, problem }) => {
        const file = new File([], name, { type })
        return { id, userId, problem, order: orderOf(id), file, isPrepared: true }
      }),
    )
  }

  /** Once nothing is left to do, a reload lists nothing. */
  function forgetRefused(): void {
    const items = engine.store.get()
    if (!items.some((item) => isUnderWay(item) || canRetry(item)))
      void deleteStoredUploads([...idsOf(items.filter(({ problem }) => problem !== undefined))])
  }

  function enqueue(uploads: readonly NewUpload[]): void {
    const before = idsOf(engine.store.get())
    const items = engine.add(uploads)
    const listed = idsOf(engine.store.get())
    const replaced = [...before].filter((id) => !listed.has(id))
    if (replaced.length > 0) void deleteStoredUploads(replaced)
    void persist(items.filter(isUnderWay))
    if (items.some(isUnderWay)) void persistRefused(items.filter(({ stage }) => stage === 'refused'))
  }

  function orderOf(id: string): number {
    const order = orders.get(id) ?? ++lastOrder
    orders.set(id, order)
    return order
  }

  return {
    store: engine.store,
    enqueue,
    restore,
    list,
    take,
    cancel,
    retry: engine.retry,
    wake: engine.wake,
    orderOf,
    forgetDone: () => void deleteStoredUploads([...idsOf(engine.store.get().filter(({ stage }) => stage === 'done'))]),
    clear: () => cancel(idsOf(engine.store.get().filter((item) => !isUnderWay(item)))),
    stop() {
      restoredFor = undefined
      engine.remove(idsOf(engine.store.get()))
    },
  }
}
