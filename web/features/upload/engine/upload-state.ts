// The uploads as data: items, events, and which is prepared and sent next (after an error: wait-or-give-up.ts). Pure: the
// caller passes the time. Part of the landing's first script; what only the queue needs is in upload-progress.ts.
import type { UploadedImage } from '../../../../contract/endpoints/images.ts'
import type { Folder } from '../drop/folder-of-file.ts'

export interface UploadItem {
  /** Also the Idempotency-Key: the server returns the same image for a repeated request. */
  id: string
  file: File
  /** The album that it goes into. */
  album: string | undefined
  /** With others of which an album can be made (folder-albums.ts). */
  folder: Folder | undefined
  /** Pasted images get a toast for the reading as well. */
  isPasted: boolean
  stage: 'waiting' | 'reading' | 'converting' | 'ready' | 'sending' | 'done' | 'failed' | 'refused'
  /** Share of the bytes that are sent, from 0 to 1. */
  sent: number
  /** The largest share that any attempt has sent. */
  reached: number
  /** Epoch ms when the stage began; when all bytes are sent, when the last one was. */
  since: number
  prepared: Prepared | undefined
  /** Attempts that have failed since the upload last got further. */
  failures: number
  /** Why the item does not get further, until bytes move again. */
  wait: UploadWait | undefined
  /** The server no longer had what was sent before. */
  isRestarted: boolean
  problem: Problem | undefined
  /** Set once the item is done. */
  image: UploadedImage | undefined
}

export interface UploadWait {
  /** limit: the uploads of this hour are used up. space: the server has none left. */
  reason: 'connection' | 'server' | 'limit' | 'space'
  /** In the server's words; empty where the page has its own. */
  text: string
  /** Epoch ms before which the item is not sent. */
  notBefore: number
}

/** A file that is ready to be sent. */
export interface Prepared {
  file: File
  /** The file is the original unless converted. larger: the WebP would be larger. kept: by the user's choice. */
  outcome: 'converted' | 'unchanged' | 'larger' | 'failed' | 'kept'
}

export interface Problem {
  /** refused: by the page's own rules, never sent. unexpected: an error in the page. */
  kind: 'refused' | 'unreadable' | 'failed' | 'unexpected'
  /** Empty where the server gave no reason. */
  text: string
  /** Another attempt would fail in the same way. */
  isFinal?: boolean
  /** Of the server's refusal (contract/plain/failures.ts); empty without one. */
  code?: string
}

export type UploadEvent =
  | { type: 'reading' }
  | { type: 'converting' }
  | { type: 'prepared'; prepared: Prepared }
  | { type: 'sending' }
  | { type: 'progress'; sent: number }
  | { type: 'restarted' }
  | { type: 'done'; image: UploadedImage }
  | { type: 'postponed'; wait: UploadWait; failures: number }
  | { type: 'failed'; problem: Problem }
  | { type: 'retry' }

export const newItem = (
  id: string,
  file: File,
  now: number,
  { isPasted = false, album, folder }: Partial<Pick<UploadItem, 'isPasted' | 'album' | 'folder'>> = {},
): UploadItem => ({
  id,
  file,
  album,
  folder,
  isPasted,
  stage: 'waiting',
  sent: 0,
  reached: 0,
  since: now,
  prepared: undefined,
  failures: 0,
  wait: undefined,
  isRestarted: false,
  problem: undefined,
  image: undefined,
})

/** Returns the item after an event. */
export function afterEvent(item: UploadItem, event: UploadEvent, now: number): UploadItem {
  switch (event.type) {
    case 'reading':
    case 'converting':
      return { ...item, stage: event.type, since: now }
    case 'prepared':
      return { ...item, stage: 'ready', since: now, prepared: event.prepared }
    case 'sending':
      return { ...item, stage: 'sending', since: now }
    case 'progress': {
      const { sent } = event
      return {
        ...item,
        sent,
        reached: Math.max(sent, item.reached),
        since: sent < 1 || item.sent === 1 ? item.since : now,
        wait: undefined,
        failures: sent > item.reached ? 0 : item.failures,
      }
    }
    case 'restarted':
      return { ...item, sent: 0, reached: 0, isRestarted: true }
    case 'done':
      return { ...item, stage: 'done', since: now, sent: 1, wait: undefined, image: event.image }
    case 'postponed':
      return { ...item, stage: 'ready', since: now, wait: event.wait, failures: event.failures }
    case 'failed':
      return { ...item, stage: 'failed', since: now, problem: event.problem }
    case 'retry': {
      const { id, file, prepared, album, folder } = item
      return {
        ...newItem(id, file, now, { album, folder }),
        prepared,
        stage: prepared === undefined ? 'waiting' : 'ready',
      }
    }
  }
}

/** At most twice `maxSending` are prepared ahead: converted images wait in memory. */
export function toPrepare(items: readonly UploadItem[], maxPreparing: number, maxSending: number): UploadItem[] {
  const isPreparing = ({ stage }: UploadItem) => stage === 'reading' || stage === 'converting'
  const capacity = Math.min(maxPreparing, 2 * maxSending - count(items, isReady)) - count(items, isPreparing)
  return items.filter(({ stage }) => stage === 'waiting').slice(0, Math.max(0, capacity))
}

/** Items that may be sent at `now`. One that gets no response comes last: it cannot hold up the others for ever. */
export function toSend(items: readonly UploadItem[], maxSending: number, now: number): UploadItem[] {
  if (now < pausedUntil(items)) return []
  const capacity = maxSending - count(items, ({ stage }) => stage === 'sending')
  const ready = items.filter(isReady).sort((a, b) => unansweredOf(a) - unansweredOf(b))
  return ready.slice(0, Math.max(0, capacity))
}

const unansweredOf = ({ wait, failures }: UploadItem) => (wait?.reason === 'connection' ? failures : 0)

/** In epoch ms. When one item waits, all do: they share the connection, and the server's limits count them together. */
export const pausedUntil = (items: readonly UploadItem[]) =>
  items.filter(isReady).reduce((until, { wait }) => Math.max(until, wait?.notBefore ?? 0), 0)

/** What the items wait for; undefined while one of them gets further. */
export function waitOf(items: readonly UploadItem[]): UploadWait | undefined {
  if (items.some((item) => isMoving(item))) return undefined
  return items.find((item) => isUnderWay(item) && item.wait !== undefined)?.wait
}

/** Whether another attempt may help an upload that has failed. */
export const canRetry = ({ stage, problem }: UploadItem) => stage === 'failed' && problem?.isFinal !== true

const isMoving = ({ stage, wait }: UploadItem) =>
  stage === 'reading' || stage === 'converting' || (stage === 'sending' && wait === undefined)
export const isUnderWay = ({ stage }: UploadItem) => stage !== 'done' && stage !== 'failed' && stage !== 'refused'
export const idsOf = (items: readonly UploadItem[]) => new Set(items.map(({ id }) => id))
const isReady = ({ stage }: UploadItem) => stage === 'ready'
const count = (items: readonly UploadItem[], isCounted: (item: UploadItem) => boolean) => items.filter(isCounted).length
