// What an upload waits for, how fast it is and why it failed, as text.
import { formatBytes } from '../../../contract/plain/format-bytes.ts'
import { canRetry, type Problem, type UploadItem, type UploadWait } from './engine/upload-state.ts'
import { dropZone, upload } from '../../texts/messages.ts'
import type { UploadClock } from './use-upload-clock.ts'

export function waitText({ reason, notBefore }: UploadWait): string {
  if (reason !== 'limit') return upload.waiting[reason]
  return upload.waiting.limit(new Date(notBefore).toLocaleTimeString('en-US', { timeStyle: 'short' }))
}

/** The speed of a single upload, or what the user should know about it. */
export function noteText({ isRestarted }: UploadItem, wait: UploadWait | undefined, clock: UploadClock): string {
  if (wait !== undefined) return upload.continues
  const { bytesPerMs, etaMs } = clock
  if (bytesPerMs !== undefined) return upload.pace(formatBytes(bytesPerMs * 1000), durationText(etaMs))
  return isRestarted ? upload.restarted : ''
}

/** `about 3 s` or `about 2 min`. */
export function durationText(ms: number | undefined): string | undefined {
  if (ms === undefined) return undefined
  const seconds = Math.max(1, Math.ceil(ms / 1000))
  return seconds <= 90 ? upload.seconds(seconds) : upload.minutes(Math.round(seconds / 60))
}

/** What became of a failed upload: that it can be tried again, or why not. */
export const failureText = (item: UploadItem): string =>
  canRetry(item) || item.problem === undefined ? dropZone.failed : problemText(item.problem)

/** The reason of a failed upload, as text. */
export function problemText({ kind, text }: Problem): string {
  if (kind === 'unreadable') return upload.dataFailed
  return kind === 'unexpected' ? upload.processFailed : text || upload.failed
}
