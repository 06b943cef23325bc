// Files that are dropped or pasted on a page that has no place of its own for them: they are uploaded, and the page stays.
import { clsx } from 'clsx'
import { CircleAlert, CloudUpload } from 'lucide-react'
import { dropZone } from '../../../texts/messages.ts'
import type { NewUpload } from '../engine/upload-engine.ts'
import { filesOrToast, uploadsOf } from './dropped-files.ts'
import type { UploadRules } from './accepted-files.ts'
import { useDrop } from './use-drop.ts'
import { usePaste } from './use-paste.ts'
import './drop-anywhere.css'

interface Props {
  rules: UploadRules
  isEnabled: boolean
  /** At least one of them is not refused. */
  onUploads: (uploads: readonly NewUpload[]) => void
}

export function DropAnywhere({ rules, isEnabled, onUploads }: Props) {
  const drag = useDrop({ rules, isEnabled, isLast: true, onDrop: (given) => void filesOrToast(given).then(take) })
  usePaste(isEnabled, take, true)

  function take(files: readonly File[]): void {
    // What is dropped on a dialog is not meant for the page behind it, but the browser must not open it either.
    if (document.querySelector('dialog[open]') !== null) return
    const uploads = uploadsOf(files, rules)
    if (uploads.length > 0) onUploads(uploads)
  }

  if (!drag.isOver) return null
  const { refusal } = drag
  const Icon = refusal === undefined ? CloudUpload : CircleAlert
  return (
    <>
      <div className={clsx('drop-frame', refusal !== undefined && 'drop-frame-refused')} />
      <p className="drop-note" data-refused={refusal !== undefined} role="status">
        <Icon className="size-6 shrink-0" aria-hidden />
        {refusal ?? dropZone.drop}
      </p>
    </>
  )
}
