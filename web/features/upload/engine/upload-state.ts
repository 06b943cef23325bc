// The uploads as data: items, events, and what to do next. Pure: the caller passes the time. Part
// of the landing's first script; what only the queue needs is in upload-progress.ts.
import type { UploadedImage } from '../../../../contract/endpoints/images.ts'
import type { FailureCode } from '../../../../contract/plain/failures.ts'
import { boundary } from '../../../texts/messages.ts'
import { ApiError } from '../../../model/api-error.ts'
import type { Folder } from '../drop/folder-of.ts'

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

const firstDelayMs = 1000
const maxDelayMs = 30_000
/** Attempts of an upload that the server fails to handle (500), and of loading a script. */
const maxFailures = 3
/** A longer Retry-After of a 429 is that of an hourly limit. */
const shortWaitMs = 120_000
/** Statuses of a server that is busy, restarting or behind a proxy that cannot reach it. */
const passing = new Set([408, 425, 429, 502, 503, 504])
/** The status of a server without space (RFC 4918 section 11.5): images expire and operators make room. */
const noSpace = 507

/** The code of a refusal that ends once its user has deleted images (contract/plain/failures.ts). */
export const quotaExceeded: FailureCode = 'quota_exceeded'

/** The file was moved or deleted, or is not downloaded from a cloud folder. */
export class UnreadableFile extends Error {}

/** A script that the upload needs could not be loaded. */
export class MissingScript extends Error {}

/** A refusal or, with the status 0, no response. */
export class SendError extends ApiError {
  /** From Retry-After. */
  readonly retryAfterMs: number | undefined

  constructor(
    status: number,
    body?: unknown,
    headers: { challenge?: string | null; retryAfterMs?: number | undefined } = {},
  ) {
    super(status, body, headers.challenge ?? null)
    this.retryAfterMs = headers.retryAfterMs
  }
}

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

/** A connection that nothing gets through, whatever the browser says about it, or a server without space. */
export interface Outage {
  reason?: UploadWait['reason']
  /** Attempts one after another, each of the whole queue. */
  attempts: number
  /** Epoch ms of the next one. */
  until: number
}
export const noOutage: Outage = { attempts: 0, until: 0 }

/**
 * The event that follows an error. A sending is repeated, for as long as it takes, where that may
 * help: without a connection, and while the server is busy or full. A refusal is final.
 * @param when.random from 0 to 1: what failed at once is not repeated at once
 */
export function afterError({ stage, failures }: UploadItem, error: unknown, when: Moment): UploadEvent {
  const { isOnline, now, random, outage = noOutage } = when
  const failed: UploadEvent = { type: 'failed', problem: problemOf(error) }
  if (stage !== 'sending') return failed
  // The browser reports when it is online again; until then there is nothing to count.
  if (!isOnline) return { type: 'postponed', wait: { reason: 'connection', text: '', notBefore: now }, failures }
  const reason = waitAfter(error, failures)
  if (reason === undefined) return failed
  const text = reason === 'space' ? (error as SendError).message : ''
  const before = isOutage(reason) ? outage.attempts : failures
  const backoffMs = Math.min(firstDelayMs * 2 ** before, maxDelayMs) * (0.5 + random / 2)
  const demandedMs = error instanceof SendError ? error.retryAfterMs : undefined
  const delayMs = demandedMs === undefined ? backoffMs : demandedMs + firstDelayMs * random
  // Those that were sent together have failed together: that is one attempt.
  const notBefore = isOutage(reason) && now < outage.until ? outage.until : now + delayMs
  return { type: 'postponed', wait: { reason, text, notBefore }, failures: failures + 1 }
}

interface Moment {
  isOnline: boolean
  now: number
  random: number
  outage?: Outage
}

/** The whole queue waits, for longer after each attempt. */
export const isOutage = (reason: UploadWait['reason']) => reason === 'connection' || reason === 'space'

function waitAfter(error: unknown, failures: number): UploadWait['reason'] | undefined {
  if (error instanceof MissingScript) return failures < maxFailures ? 'connection' : undefined
  if (!(error instanceof SendError)) return undefined
  const { status, retryAfterMs = 0 } = error
  if (status === 0) return 'connection'
  if (status === noSpace) return 'space'
  if (status === 429 && retryAfterMs > shortWaitMs) return 'limit'
  return passing.has(status) || (status === 500 && failures < maxFailures) ? 'server' : undefined
}

function problemOf(error: unknown): Problem {
  if (error instanceof UnreadableFile) return { kind: 'unreadable', text: '' }
  if (error instanceof MissingScript) return { kind: 'failed', text: boundary.notLoaded }
  if (error instanceof ApiError) {
    const { status, code, message, challenge } = error
    // A login and the answer to a challenge may come with the next attempt, and its user may make room before.
    const mayPass = status === 401 || challenge !== null || code === quotaExceeded || passing.has(status)
    const isFinal = status >= 400 && status < 500 && !mayPass
    return { kind: 'failed', text: message, code, isFinal }
  }
  return { kind: 'unexpected', text: '' }
}

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
