// What an upload waits for and how fast it is, as text.
import { formatBytes } from '../../../contract/plain/format-bytes.ts'
import type { UploadWait } from './engine/upload-state.ts'
import { upload } from '../../texts/messages.ts'
import type { UploadClock } from './use-upload-clock.ts'

export function waitText({ reason, notBefore }: UploadWait): string {
  if (reason !== 'limit') return upload.waiting[reason]
  return upload.waiting.limit(new Date(notBefore).toLocaleTimeString('en-US', { timeStyle: 'short' }))
}

/** `340 KB/s, about 12 s left`; undefined until it is known. */
export const paceText = ({ bytesPerMs, etaMs }: UploadClock) =>
  bytesPerMs === undefined ? undefined : upload.pace(formatBytes(bytesPerMs * 1000), durationText(etaMs))

/** `about 3 s` or `about 2 min`. */
export function durationText(ms: number | undefined): string | undefined {
  if (ms === undefined) return undefined
  const seconds = Math.max(1, Math.ceil(ms / 1000))
  return seconds <= 90 ? upload.seconds(seconds) : upload.minutes(Math.round(seconds / 60))
}
