// What follows when an upload fails: it waits, for what and how long, or gives up. Pure: the caller passes the time.
import type { FailureCode } from '../../../../contract/plain/failures.ts'
import { boundary } from '../../../texts/messages.ts'
import { ApiError } from '../../../model/api-error.ts'
import type { Problem, UploadEvent, UploadItem, UploadWait } from './upload-state.ts'

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
