// The uploads as data: items, events, and what to do next. Pure: the caller passes the time. Part
// of the landing's first script; what only the tray needs is in upload-progress.ts.
import type { UploadedImage } from '../../../contract/images.ts'
import { ApiError } from '../api-error.ts'

export interface UploadItem {
  /** Also the Idempotency-Key: the server returns the same image for a repeated request. */
  id: string
  file: File
  /** Pasted images get a toast for the reading as well. */
  isPasted: boolean
  stage: 'waiting' | 'reading' | 'converting' | 'ready' | 'sending' | 'done' | 'failed' | 'refused'
  /** Share of the bytes that are sent, from 0 to 1. */
  sent: number
  /** Epoch ms when the stage began; when all bytes are sent, when the last one was. */
  since: number
  prepared: Prepared | undefined
  /** Automatic attempts that have failed. */
  failures: number
  /** Epoch ms before which a postponed item is not sent. */
  notBefore: number
  problem: Problem | undefined
  /** Set once the item is done. */
  image: UploadedImage | undefined
}

/** A file that is ready to be sent. */
export interface Prepared {
  file: File
  /** The file is the original unless converted. larger: the WebP would be larger. */
  outcome: 'converted' | 'unchanged' | 'larger' | 'failed'
}

export interface Problem {
  /** refused: by the page's own rules, never sent. unexpected: an error in the page. */
  kind: 'refused' | 'unreadable' | 'failed' | 'unexpected'
  /** Empty where the server gave no reason. */
  text: string
}

export type UploadEvent =
  | { type: 'reading' }
  | { type: 'converting' }
  | { type: 'prepared'; prepared: Prepared }
  | { type: 'sending' }
  | { type: 'progress'; sent: number }
  | { type: 'done'; image: UploadedImage }
  | { type: 'postponed'; notBefore: number; failures: number }
  | { type: 'failed'; problem: Problem }
  | { type: 'retry' }

const firstRetryDelayMs = 1000

/** The file was moved or deleted, or is not downloaded from a cloud folder. */
export class UnreadableFile extends Error {}

export const newItem = (id: string, file: File, now: number, isPasted = false): UploadItem => ({
  id,
  file,
  isPasted,
  stage: 'waiting',
  sent: 0,
  since: now,
  prepared: undefined,
  failures: 0,
  notBefore: 0,
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
      return { ...item, stage: 'sending', since: now, sent: 0 }
    case 'progress':
      return { ...item, sent: event.sent, since: event.sent < 1 || item.sent === 1 ? item.since : now }
    case 'done':
      return { ...item, stage: 'done', since: now, sent: 1, image: event.image }
    case 'postponed':
      return { ...item, stage: 'ready', since: now, sent: 0, notBefore: event.notBefore, failures: event.failures }
    case 'failed':
      return { ...item, stage: 'failed', since: now, problem: event.problem }
    case 'retry': {
      const { id, file, prepared } = item
      return { ...newItem(id, file, now), prepared, stage: prepared === undefined ? 'waiting' : 'ready' }
    }
  }
}

/** At most twice `maxSending` are prepared ahead: converted images wait in memory. */
export function toPrepare(items: readonly UploadItem[], maxPreparing: number, maxSending: number): UploadItem[] {
  const isPreparing = ({ stage }: UploadItem) => stage === 'reading' || stage === 'converting'
  const capacity = Math.min(maxPreparing, 2 * maxSending - count(items, isReady)) - count(items, isPreparing)
  return items.filter(({ stage }) => stage === 'waiting').slice(0, Math.max(0, capacity))
}

/** Items that may be sent at `now`. */
export function toSend(items: readonly UploadItem[], maxSending: number, now: number): UploadItem[] {
  const capacity = maxSending - count(items, ({ stage }) => stage === 'sending')
  return items.filter((item) => isReady(item) && item.notBefore <= now).slice(0, Math.max(0, capacity))
}

/** When the next postponed item may be sent, in epoch ms; undefined without one after `now`. */
export function nextRetry(items: readonly UploadItem[], now: number): number | undefined {
  const times = items.filter((item) => isReady(item) && item.notBefore > now).map(({ notBefore }) => notBefore)
  return times.length === 0 ? undefined : Math.min(...times)
}

/**
 * The event that follows an error. Only a sending is retried automatically, and only where that may
 * help: after a failed connection or a 5xx. Each delay is twice the one before. While the browser
 * is offline an attempt does not count.
 * @param maxRetries 0: no automatic retry, offline included
 */
export function afterError(
  { stage, failures }: UploadItem,
  error: unknown,
  maxRetries: number,
  isOnline: boolean,
  now: number,
): UploadEvent {
  const problem = problemOf(error)
  if (stage === 'sending' && maxRetries > 0) {
    if (!isOnline) return { type: 'postponed', notBefore: now, failures }
    const status = error instanceof ApiError ? error.status : 0
    if (failures < maxRetries && (status === 0 || status >= 500))
      return { type: 'postponed', notBefore: now + firstRetryDelayMs * 2 ** failures, failures: failures + 1 }
  }
  return { type: 'failed', problem }
}

function problemOf(error: unknown): Problem {
  if (error instanceof UnreadableFile) return { kind: 'unreadable', text: '' }
  if (error instanceof ApiError) return { kind: 'failed', text: error.message }
  return { kind: 'unexpected', text: '' }
}

export const isUnderWay = ({ stage }: UploadItem) => stage !== 'done' && stage !== 'failed' && stage !== 'refused'
const isReady = ({ stage }: UploadItem) => stage === 'ready'
const count = (items: readonly UploadItem[], isCounted: (item: UploadItem) => boolean) => items.filter(isCounted).length
