import type { UploadItem } from '../engine/upload-state.ts'
import { timeLeftText } from '../time-left-text.ts'
import { useUploadClock } from '../use-upload-clock.ts'

/** The speed of a single upload and the time left. */
export function TimeLeft({ item }: { item: UploadItem }) {
  const bytesSent = item.sent * item.file.size
  const clock = useUploadClock(true, () => ({ bytesSent, work: bytesSent, allWork: item.file.size }))
  return timeLeftText(item, clock)
}
