// How fast an upload is, as text.
import { formatBytes } from '../../../contract/plain/format-bytes.ts'
import { pace } from '../../texts/upload-messages.ts'
import type { UploadClock } from './use-upload-clock.ts'

/** `340 KB/s, about 12 s left`, or that the upload began again; empty while nothing is known. */
export function timeLeftText({ isRestarted }: { isRestarted: boolean }, { bytesPerMs, etaMs }: UploadClock): string {
  if (bytesPerMs !== undefined) return pace.speed(formatBytes(bytesPerMs * 1000), durationText(etaMs))
  return isRestarted ? pace.restarted : ''
}

/** `about 3 s` or `about 2 min`. */
export function durationText(ms: number | undefined): string | undefined {
  if (ms === undefined) return undefined
  const seconds = Math.max(1, Math.ceil(ms / 1000))
  return seconds <= 90 ? pace.seconds(seconds) : pace.minutes(Math.round(seconds / 60))
}
