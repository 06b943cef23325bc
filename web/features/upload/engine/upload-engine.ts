// Runs uploads: prepares, sends and retries what upload-state.ts decides. Each single upload and each
// queue, of a user or a guest, has an engine of its own, configured by an `UploadRole`.
import type { UploadedImage } from '../../../../contract/endpoints/images.ts'
import { createStore } from '../../../model/store.ts'
import { randomUuid } from '../../../model/uuid.ts'
import type { Folder } from '../drop/folder-of-file.ts'
import type { SendOptions } from './send-either-way.ts'
import {
  afterEvent,
  isUnderWay,
  newItem,
  pausedUntil,
  type Prepared,
  toPrepare,
  toSend,
  type UploadEvent,
  type UploadItem,
} from './upload-state.ts'
import { afterError, isOutage, noOutage } from './wait-or-give-up.ts'

export interface UploadRole {
  /** Missing where files are sent unchanged. */
  prepare?: (file: File, signal: AbortSignal, onConverting: () => void) => Promise<Prepared>
  send: (file: File, options: SendOptions) => Promise<UploadedImage>
  maxPreparing?: number
  maxSending?: number
  /** The user gives up an upload that may have begun. */
  onCancelled?: (item: UploadItem) => void
  onEvent?: (item: UploadItem, event: UploadEvent) => void
  /** Applies the change of an item to done; by default at once. */
  commit?: (update: () => void) => void
}

/** The clock may be set while a retry waits: `notBefore` is checked at least this often. */
const maxTimerMs = 60_000

export interface NewUpload {
  file: File
  isPasted?: boolean
  /** Why the file is not sent, as text: the item is listed as refused. */
  refusal?: string | undefined
  /** The album that it goes into. */
  album?: string | undefined
  /** With others of which an album can be made. */
  folder?: Folder | undefined
}

export function createUploadEngine(role: UploadRole) {
  const { maxPreparing = 1, maxSending = 1, commit = (update) => update() } = role
  const store = createStore<readonly UploadItem[]>([])
  const running = new Map<string, AbortController>()
  /** Items whose response has arrived and that `commit` has not changed to done yet. */
  const committing = new Set<string>()
  let retryTimer: ReturnType<typeof setTimeout> | undefined
  /** How many are sent at a time: one after the server was busy, one more after each success. */
  let parallel = maxSending
  /** While it lasts, one upload at a time is tried. */
  let outage = noOutage

  /** What an earlier batch has uploaded or left out makes place for the new one. */
  function add(uploads: readonly NewUpload[]): UploadItem[] {
    const items = uploads.map(({ file, refusal, ...given }): UploadItem => {
      const item = newItem(randomUuid(), file, Date.now(), given)
      if (refusal !== undefined) return { ...item, stage: 'refused', problem: { kind: 'refused', text: refusal } }
      return role.prepare === undefined ? { ...item, stage: 'ready', prepared: { file, outcome: 'unchanged' } } : item
    })
    const before = store.get()
    store.set([...(before.some(isUnderWay) ? before : before.filter(({ stage }) => stage === 'failed')), ...items])
    startNext()
    return items
  }

  /** Puts items of an earlier visit before the others. */
  function restore(items: readonly UploadItem[]): void {
    store.set([...items, ...store.get()])
    startNext()
  }

  /** Removes items and stops them, except those whose response has arrived: their image exists. */
  function remove(ids: ReadonlySet<string>): void {
    const isRemoved = ({ id }: UploadItem) => ids.has(id) && !committing.has(id)
    for (const id of ids) running.get(id)?.abort()
    for (const item of store.get()) if (isRemoved(item) && item.stage !== 'done') role.onCancelled?.(item)
    store.set(store.get().filter((item) => !isRemoved(item)))
    startNext()
  }

  /** Stops what is under way without giving it up, except where the response has arrived. @returns what is left to do */
  function release(): UploadItem[] {
    const left = store.get().filter((item) => isUnderWay(item) && !committing.has(item.id))
    const ids = new Set(left.map(({ id }) => id))
    for (const id of ids) running.get(id)?.abort()
    store.set(store.get().filter(({ id }) => !ids.has(id)))
    return left
  }

  function retry(ids: ReadonlySet<string>): void {
    for (const item of store.get()) if (ids.has(item.id)) dispatch(item, { type: 'retry' })
    wake()
  }

  function startNext(): void {
    for (const item of toPrepare(store.get(), maxPreparing, maxSending)) void run(item, prepare)
    clearTimeout(retryTimer)
    const now = Date.now()
    const sending = outage.attempts === 0 ? parallel : 1
    if (!navigator.onLine) {
      const wait = { reason: 'connection', text: '', notBefore: now } as const
      for (const item of toSend(store.get(), sending, now).filter((one) => one.wait?.reason !== 'connection'))
        dispatch(item, { type: 'postponed', wait, failures: item.failures })
      return
    }
    for (const item of toSend(store.get(), sending, now)) void run(item, send)
    const pausedMs = pausedUntil(store.get()) - now
    if (pausedMs > 0) retryTimer = setTimeout(startNext, Math.min(pausedMs, maxTimerMs))
  }

  /** What has made the uploads wait is over, or may be: they are tried at once. The time of a limit is known. */
  function wake(): void {
    outage = noOutage
    const woken = (item: UploadItem) =>
      item.wait && item.wait.reason !== 'limit' ? { ...item, wait: { ...item.wait, notBefore: 0 } } : item
    store.set(store.get().map(woken))
    startNext()
  }

  /** Each item passes `prepare`, which makes it ready, and then `send`: startNext, called after each step, takes the next one. */
  async function run(item: UploadItem, step: (item: UploadItem, signal: AbortSignal) => Promise<void>): Promise<void> {
    const controller = new AbortController()
    running.set(item.id, controller)
    try {
      await step(item, controller.signal)
    } catch (error) {
      if (!controller.signal.aborted) fail(item, error)
    } finally {
      if (running.get(item.id) === controller) running.delete(item.id)
      startNext()
    }
  }

  async function prepare(item: UploadItem, signal: AbortSignal): Promise<void> {
    dispatch(item, { type: 'reading' })
    const prepared = await role.prepare?.(item.file, signal, () => dispatch(item, { type: 'converting' }))
    if (prepared !== undefined) dispatch(item, { type: 'prepared', prepared })
  }

  async function send(item: UploadItem, signal: AbortSignal): Promise<void> {
    dispatch(item, { type: 'sending' })
    const image = await role.send(item.prepared?.file ?? item.file, {
      signal,
      onProgress: (sent) => dispatch(item, { type: 'progress', sent }),
      onRestart: () => dispatch(item, { type: 'restarted' }),
      key: item.id,
      album: item.album,
    })
    parallel = Math.min(maxSending, parallel + 1)
    if (outage.attempts > 0) wake()
    committing.add(item.id)
    commit(() => {
      committing.delete(item.id)
      dispatch(item, { type: 'done', image })
    })
  }

  function fail(item: UploadItem, error: unknown): void {
    console.info('The upload failed', error)
    const when = { isOnline: navigator.onLine, now: Date.now(), random: Math.random(), outage }
    const event = afterError(current(item), error, when)
    if (event.type === 'postponed') {
      const { reason, notBefore } = event.wait
      if (!isOutage(reason)) parallel = 1
      else if (notBefore > outage.until) outage = { reason, attempts: outage.attempts + 1, until: notBefore }
    }
    dispatch(item, event)
  }

  /** Reports the event of a removed item too: its image exists when the response has arrived. */
  function dispatch(item: UploadItem, event: UploadEvent): void {
    // Bytes of a part have moved. A server without space may refuse them all the same.
    if (outage.reason !== 'space' && event.type === 'progress' && event.sent > current(item).reached && event.sent < 1)
      outage = noOutage
    const next = afterEvent(current(item), event, Date.now())
    store.set(store.get().map((each) => (each.id === next.id ? next : each)))
    role.onEvent?.(next, event)
  }

  const current = (item: UploadItem) => store.get().find(({ id }) => id === item.id) ?? item

  return { store, add, restore, remove, release, retry, wake }
}
