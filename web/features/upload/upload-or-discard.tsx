import { clsx } from 'clsx'
import { dropZone } from '../../texts/messages.ts'

interface Props {
  text: string
  /** Classes, for buttons of another size. */
  size?: string
  /** False where another attempt would not help. */
  onUpload: (() => void) | false
  onDiscard: () => void
}

/** The two buttons for an upload that waits for a decision. */
export function UploadOrDiscard({ text, size, onUpload, onDiscard }: Props) {
  return (
    <>
      {onUpload && (
        <button type="button" className={clsx('btn btn-primary', size)} onClick={onUpload}>
          {text}
        </button>
      )}
      <button type="button" className={clsx('btn btn-quiet', size)} onClick={onDiscard}>
        {dropZone.discard}
      </button>
    </>
  )
}
