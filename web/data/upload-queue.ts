// The uploads of a signed-in user, one after another and a few at once. It goes on whatever page is shown, and after a reload.
import { ApiError } from './api-error.ts'
import { addImage } from './images.ts'
import { session } from './session.ts'
import { createStore, useStore } from './store.ts'
import { token } from './token.ts'
import { converterCount } from './upload-convert.ts'
import {
  afterEvent,
  figuresOf,
  isUnderWay,
  newItem,
  retryDelayMs,
  toConvert,
  toSend,
  type UploadEvent,
  type UploadItem,
} from './upload-items.ts'
import { prepareImage, UnreadableFile } from './upload-prepare.ts'
import { etaMs, nextPace, startPace, type Pace } from './upload-progress.ts'
import { forgetAllUploads, forgetUploads, keepUploads, takeUploads } from './upload-storage.ts'
import { sendImage } from './upload.ts'
import { randomUuid } from './uuid.ts'

export interface Uploads {
  items: readonly UploadItem[]
  /** When this was looked at last: what creeps and what is estimated goes by it. */
  now: number
  etaMs: number | undefined
  isOnline: boolean
}

const tickMs = 250

const store = createStore<Uploads>({ items: [], now: 0, etaMs: undefined, isOnline: true })
export const useUploads = () => useStore(store)

const running = new Map<string, AbortController>()
let pace: Pace | undefined
let ticker = 0
let restoredFor: string | undefined
let order = 0

// The next user of this browser sees nothing of the one before.
token.subscribe(() => {
  if (token.get() !== null) return
  restoredFor = undefined
  for (const controller of running.values()) controller.abort()
  setItems([])
  void forgetAllUploads()
})
addEventListener('online', () => pump())
addEventListener('offline', () => pump())

/** `refusal`, in words: shown among the others, but never sent. */
export function enqueue(given: readonly { file: File; refusal: string | undefined }[]): void {
  const now = Date.now()
  const items = given.map(({ file, refusal }): UploadItem => {
    const item = newItem(randomUuid(), ++order, file, now)
    return refusal === undefined ? item : { ...item, stage: 'refused', problem: { kind: 'refused', text: refusal } }
  })
  const before = store.get().items
  // What an earlier batch has finished makes room for the new one.
  setItems([...(before.some(isUnderWay) ? before : before.filter(({ stage }) => stage !== 'done')), ...items])
  keep(items.filter(isUnderWay))
  pump()
}

/** Goes on with what an earlier visit of this user has left. */
export async function restoreUploads(userId: string): Promise<void> {
  if (restoredFor === userId) return
  restoredFor = userId
  const left = await takeUploads(userId)
  if (restoredFor !== userId || left.length === 0) return
  const now = Date.now()
  order += Math.max(...left.map((upload) => upload.order))
  const items = left.map(({ id, order: at, file, prepared }): UploadItem => {
    const item = newItem(id, at, file, now)
    return prepared === undefined ? item : afterEvent(item, { type: 'prepared', prepared }, now)
  })
  setItems([...items, ...store.get().items])
  pump()
}

export function cancelUploads(ids: ReadonlySet<string>): void {
  for (const id of ids) running.get(id)?.abort()
  setItems(store.get().items.filter(({ id }) => !ids.has(id)))
  void forgetUploads([...ids])
  pump()
}

export function retryUploads(ids: ReadonlySet<string>): void {
  for (const id of ids) tell(id, { type: 'retry' })
  pump()
}

/** Leaves only what is not over. */
export function clearUploads(): void {
  const { items } = store.get()
  void forgetUploads(items.filter((item) => !isUnderWay(item)).map(({ id }) => id))
  setItems(items.filter(isUnderWay))
}

/** Starts whatever may start now. */
function pump(): void {
  store.set({ ...store.get(), isOnline: navigator.onLine })
  for (const item of toConvert(store.get().items, converterCount)) void prepare(item)
  if (navigator.onLine) for (const item of toSend(store.get().items, Date.now())) void send(item)
  watch()
}

async function prepare({ id, file }: UploadItem): Promise<void> {
  const controller = start(id)
  tell(id, { type: 'converting' })
  try {
    const prepared = await prepareImage(file, controller.signal)
    tell(id, { type: 'prepared', prepared })
    keep(store.get().items.filter((item) => item.id === id))
  } catch (error) {
    if (controller.signal.aborted) return
    console.info('The file cannot be uploaded', error)
    fail(id, { kind: error instanceof UnreadableFile ? 'unreadable' : 'failed', text: '' })
  } finally {
    end(id, controller)
  }
}

async function send({ id, prepared, failures }: UploadItem): Promise<void> {
  if (prepared === undefined) return
  const controller = start(id)
  tell(id, { type: 'sending' })
  try {
    const onProgress = (sent: number) => tell(id, { type: 'progress', sent })
    const image = await sendImage(prepared.file, { signal: controller.signal, onProgress, key: id })
    tell(id, { type: 'done' })
    void forgetUploads([id])
    addImage(image)
  } catch (error) {
    if (controller.signal.aborted) return
    const [status, text] = error instanceof ApiError ? [error.status, error.message] : [0, '']
    console.info('The upload failed', error)
    // What fails for want of a network does not count.
    const delay = navigator.onLine ? retryDelayMs(status, failures) : 0
    if (delay === undefined) fail(id, { kind: 'failed', text })
    else tell(id, { type: 'postponed', notBefore: Date.now() + delay, failures: failures + (delay === 0 ? 0 : 1) })
  } finally {
    end(id, controller)
  }
}

function start(id: string): AbortController {
  const controller = new AbortController()
  running.set(id, controller)
  return controller
}

function end(id: string, controller: AbortController): void {
  if (running.get(id) === controller) running.delete(id)
  pump()
}

function fail(id: string, problem: UploadItem['problem']): void {
  tell(id, { type: 'failed', problem })
}

function tell(id: string, event: UploadEvent): void {
  const now = Date.now()
  setItems(store.get().items.map((item) => (item.id === id ? afterEvent(item, event, now) : item)))
}

function setItems(items: readonly UploadItem[]): void {
  store.set({ ...store.get(), items, now: Date.now() })
}

function keep(items: readonly UploadItem[]): void {
  const current = session.get()
  if (items.length === 0 || current.status !== 'in') return
  const { id: userId } = current.user
  void keepUploads(items.map(({ id, order: at, file, prepared }) => ({ id, userId, order: at, file, prepared })))
}

/** Looks at the clock while something is under way. */
function watch(): void {
  const isActive = store.get().items.some(isUnderWay)
  if (!isActive) {
    clearInterval(ticker)
    ticker = 0
    pace = undefined
    if (store.get().etaMs !== undefined) store.set({ ...store.get(), etaMs: undefined })
  } else if (ticker === 0) {
    ticker = window.setInterval(tick, tickMs)
  }
}

function tick(): void {
  const now = Date.now()
  const { items } = store.get()
  const { work, allWork } = figuresOf(items, now)
  pace = pace === undefined ? startPace(now, work) : nextPace(pace, now, work)
  store.set({ ...store.get(), now, etaMs: etaMs(pace, allWork - work) })
  // One that waits after a failure may go now.
  pump()
}
