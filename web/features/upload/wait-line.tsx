import { upload } from '../../texts/messages.ts'
import { useOnline } from '../../model/online.ts'
import type { UploadWait } from './engine/upload-state.ts'
import { continuesText } from './wait-and-failure-texts.ts'

interface ButtonProps {
  wait: UploadWait
  onRetry: () => void
}

/** Not where it cannot help: without a network, and before the next uploads of an hour. */
export function RetryNow({ wait, onRetry }: ButtonProps) {
  const isOnline = useOnline()
  if (!isOnline || wait.reason === 'limit') return null
  return (
    <button type="button" className="shrink-0 underline coarse:min-h-11" onClick={onRetry}>
      {upload.retryNow}
    </button>
  )
}

/** Under the progress of a single upload that waits. */
export const WaitLine = (props: ButtonProps) => (
  <span className="flex flex-wrap gap-x-2">
    <span className="flex-1 basis-40">{continuesText(props.wait)}</span>
    <RetryNow {...props} />
  </span>
)
