import { tray } from '../../texts/upload-messages.ts'

/** `about 3 s`, `about 2 min`. */
export function durationText(ms: number | undefined): string | undefined {
  if (ms === undefined) return undefined
  const seconds = Math.max(1, Math.ceil(ms / 1000))
  return seconds <= 90 ? tray.seconds(seconds) : tray.minutes(Math.round(seconds / 60))
}
