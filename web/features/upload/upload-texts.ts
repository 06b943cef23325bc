// What an upload waits for and why it failed, as text.
import { canRetry, type Problem, type UploadItem, type UploadWait } from './engine/upload-state.ts'
import { dropZone, upload } from '../../texts/messages.ts'

export function waitText({ reason, notBefore }: UploadWait): string {
  if (reason !== 'limit') return upload.waiting[reason]
  return upload.waiting.limit(new Date(notBefore).toLocaleTimeString('en-US', { timeStyle: 'short' }))
}

/** What became of a failed upload: that it can be tried again, or why not. */
export function failureText(item: UploadItem): string {
  if (canRetry(item) || item.problem === undefined) return dropZone.failed
  // The file is named as an image, or it would not have been sent.
  return item.problem.code === 'unsupported_type' ? dropZone.unreadable : problemText(item.problem)
}

/** The reason of a failed upload, as text. */
export function problemText({ kind, text }: Problem): string {
  if (kind === 'unreadable') return upload.dataFailed
  return kind === 'unexpected' ? upload.processFailed : text || upload.failed
}
