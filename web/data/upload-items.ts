// The queue as data: its items, what can happen to them, what is next. No clock, no network.
import { percentOf, type Step } from './upload-progress.ts'
import type { Prepared } from './upload-prepare.ts'

const parallelUploads = 3
const maxRetries = 3

export interface UploadItem extends Step {
  /** Also its Idempotency-Key: sent again, it answers the same image. */
  id: string
  /** As they were queued. */
  order: number
  file: File
  prepared: Prepared | undefined
  /** Automatic attempts that have failed. */
  failures: number
  /** Not to be sent before; it has just failed. */
  notBefore: number
  /** refused: before it was queued. `text` may be empty where nobody said why. */
  problem: { kind: 'refused' | 'unreadable' | 'failed'; text: string } | undefined
}

export type UploadEvent =
  | { type: 'converting' }
  | { type: 'prepared'; prepared: Prepared }
  | { type: 'sending' }
  | { type: 'progress'; sent: number }
  | { type: 'done' }
  | { type: 'postponed'; notBefore: number; failures: number }
  | { type: 'failed'; problem: UploadItem['problem'] }
  | { type: 'retry' }

export const newItem = (id: string, order: number, file: File, now: number): UploadItem => ({
  id,
  order,
  file,
  prepared: undefined,
  stage: 'waiting',
  sent: 0,
  since: now,
  failures: 0,
  notBefore: 0,
  problem: undefined,
})

/** What an item is after an event. */
export function afterEvent(item: UploadItem, event: UploadEvent, now: number): UploadItem {
  switch (event.type) {
    case 'converting':
      return { ...item, stage: 'converting', since: now }
    case 'prepared':
      return { ...item, stage: 'ready', since: now, prepared: event.prepared }
    case 'sending':
      return { ...item, stage: 'sending', since: now, sent: 0 }
    case 'progress':
      return { ...item, sent: event.sent, since: event.sent < 1 || item.sent === 1 ? item.since : now }
    case 'done':
      return { ...item, stage: 'done', since: now, sent: 1 }
    case 'postponed':
      return { ...item, stage: 'ready', since: now, sent: 0, notBefore: event.notBefore, failures: event.failures }
    case 'failed':
      return { ...item, stage: 'failed', since: now, problem: event.problem }
    case 'retry': {
      const stage = item.prepared === undefined ? 'waiting' : 'ready'
      return { ...item, stage, since: now, sent: 0, failures: 0, notBefore: 0, problem: undefined }
    }
  }
}

/** Those whose conversion may start. Not far ahead of the sending: what is converted waits in memory. */
export function toConvert(items: readonly UploadItem[], workers: number): UploadItem[] {
  const ahead = items.filter(({ stage }) => stage === 'ready').length
  const room = Math.min(workers, 2 * parallelUploads - ahead) - countOf(items, 'converting')
  return items.filter(({ stage }) => stage === 'waiting').slice(0, Math.max(0, room))
}

export function toSend(items: readonly UploadItem[], now: number): UploadItem[] {
  const room = parallelUploads - countOf(items, 'sending')
  return items.filter(({ stage, notBefore }) => stage === 'ready' && notBefore <= now).slice(0, Math.max(0, room))
}

/**
 * When to send it again, undefined where that would not help. Safe, because the key answers the same image.
 * @param status of the reply, 0 where there was none
 */
export function retryDelayMs(status: number, failures: number): number | undefined {
  if (failures >= maxRetries || (status !== 0 && status < 500)) return undefined
  return 1000 * 2 ** failures
}

export const isUnderWay = ({ stage }: Step) => ['waiting', 'converting', 'ready', 'sending'].includes(stage)
const countOf = (items: readonly UploadItem[], wanted: Step['stage']) =>
  items.filter(({ stage }) => stage === wanted).length

export interface Figures {
  /** Without the refused. */
  total: number
  done: number
  /** Failed and refused. */
  bad: number
  underWay: number
  /** Of all, by size; 0 to 100. */
  percent: number
  bytesLeft: number
  /** In bytes of the files as given: what is done, and what all is. */
  work: number
  allWork: number
  /** Of the converted ones: bytes before and after. */
  saved: { from: number; to: number } | undefined
}

export function figuresOf(items: readonly UploadItem[], now: number): Figures {
  const counted = items.filter(({ stage }) => stage !== 'refused')
  const sum = (of: (item: UploadItem) => number, among: readonly UploadItem[] = counted) =>
    among.reduce((total, item) => total + of(item), 0)
  const allWork = sum(({ file }) => file.size)
  const work = sum((item) => (item.file.size * percentOf(item, now)) / 100)
  const converted = counted.filter(({ stage, prepared }) => stage === 'done' && prepared?.outcome === 'converted')
  const underWay = counted.filter(isUnderWay)
  return {
    total: counted.length,
    done: countOf(items, 'done'),
    bad: countOf(items, 'failed') + countOf(items, 'refused'),
    underWay: underWay.length,
    percent: allWork === 0 ? 0 : (100 * work) / allWork,
    bytesLeft: sum(({ file, prepared, sent }) => (prepared?.file ?? file).size * (1 - sent), underWay),
    work,
    allWork,
    saved:
      converted.length === 0
        ? undefined
        : {
            from: sum(({ file }) => file.size, converted),
            to: sum(({ prepared }) => prepared?.file.size ?? 0, converted),
          },
  }
}
