// What an upload waits for and why it failed, as text.
import { canRetry, type Problem, type UploadItem, type UploadWait } from './engine/upload-state.ts'
import { quotaExceeded } from './engine/wait-or-give-up.ts'
import { dropZone, upload } from '../../texts/messages.ts'

export function waitText({ reason, text, notBefore }: UploadWait): string {
  if (text !== '') return text
  if (reason !== 'limit') return upload.waiting[reason]
  return upload.waiting.limit(new Date(notBefore).toLocaleTimeString('en-US', { timeStyle: 'short' }))
}

export const continuesText = ({ reason }: UploadWait): string =>
  reason === 'space' ? upload.continuesWithSpace : upload.continues

/** What became of a failed upload: that it can be tried again, or why not. */
export const failureText = (item: UploadItem): string =>
  item.problem === undefined || (canRetry(item) && item.problem.code !== quotaExceeded)
    ? dropZone.failed
    : reasonText(item.problem)

/** The reason where the file is shown, in the words of the toast: it is named as an image, or it would not have been sent. */
export const reasonText = (problem: Problem): string =>
  problem.code === 'unsupported_type' ? dropZone.otherContent(problem.text) : problemText(problem)

/** The reason of a failed upload, as text. */
export function problemText({ kind, text }: Problem): string {
  if (kind === 'unreadable') return upload.dataFailed
  return kind === 'unexpected' ? upload.processFailed : text || upload.failed
}
