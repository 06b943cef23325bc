// Actions for the selected images, at the end of the window while any is selected.
import { CalendarPlus, ChevronDown, Copy, Trash2, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Image } from '../../../contract/endpoints/images.ts'
import { limits } from '../../../contract/plain/limits.ts'
import { useSources } from '../../model/images/own-image.ts'
import { copyChoices, type CopyChoice, setCopyChoice, useCopyChoice } from '../../model/copy-choice.ts'
import { copyText } from '../../ui/copy/copy-text.ts'
import { selection as text } from '../../texts/dashboard-messages.ts'
import { notify } from '../../ui/toast/toast.ts'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx'
import { CopyButton } from '../../ui/copy/copy-button.tsx'
import { focusMain } from './focus-main.ts'

interface Props {
  images: readonly Image[]
  /** The ids of all images are being loaded. */
  isSelectingAll: boolean
  /** What is copied of an image. */
  textOf: (image: Image, choice: CopyChoice) => string
  onExtend: (images: readonly Image[]) => Promise<void>
  /** Returns the reason of a failure. */
  onDelete: (images: readonly Image[]) => Promise<string | undefined>
  onClear: () => void
}

export function SelectionBar({ images, isSelectingAll, textOf, onExtend, onDelete, onClear }: Props) {
  const choice = useCopyChoice()
  const [isAsking, setAsking] = useState(false)
  const [isExtending, setExtending] = useState(false)
  const n = images.length
  const done = text.copied(n, text.formats[choice])

  useEffect(() => {
    const clear = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented && document.querySelector('dialog[open]') === null)
        onClear()
    }
    document.addEventListener('keydown', clear)
    return () => document.removeEventListener('keydown', clear)
  }, [onClear])

  /** A single deletion needs no confirmation: it can be undone. */
  async function deleteOne(): Promise<void> {
    const reason = await onDelete(images)
    // Empty when the session has ended, which is already reported.
    if (reason !== undefined && reason !== '') notify.error(reason)
  }

  return (
    <section className="selection-bar" aria-label={text.label}>
      <p className="font-semibold tabular-nums" role="status">
        {isSelectingAll ? text.reading : text.count(n)}
      </p>
      <div className="selection-actions">
        <span className="select">
          <select
            aria-label={text.copyAs}
            value={choice}
            onChange={(event) => setCopyChoice(copyChoices[event.target.selectedIndex] ?? 'url')}
          >
            {copyChoices.map((id) => (
              <option key={id} value={id}>
                {text.formats[id]}
              </option>
            ))}
          </select>
          <ChevronDown className="size-3.5" aria-hidden />
        </span>
        <CopyButton
          className="btn btn-quiet btn-sm"
          icon={<Copy className="size-4" aria-hidden />}
          copied={done}
          onCopy={() => copyText(images.map((image) => textOf(image, choice)).join('\n'), done)}
        >
          {text.copy}
        </CopyButton>
        <button
          type="button"
          className="btn btn-quiet btn-sm"
          disabled={isSelectingAll || isExtending}
          onClick={async () => {
            setExtending(true)
            await onExtend(images)
            setExtending(false)
          }}
        >
          <CalendarPlus className="size-4" aria-hidden />
          {text.extend}
        </button>
        <button
          type="button"
          className="btn btn-quiet btn-sm text-danger-text"
          disabled={isSelectingAll}
          onClick={() => (n === 1 ? void deleteOne() : setAsking(true))}
        >
          <Trash2 className="size-4" aria-hidden />
          {text.delete}
        </button>
      </div>
      <button
        type="button"
        className="btn btn-ghost btn-sm max-md:order-1"
        onClick={() => {
          onClear()
          focusMain()
        }}
      >
        <X className="size-4" aria-hidden />
        {text.clear}
      </button>
      {isAsking && (
        <ConfirmDialog
          title={text.deleteTitle(n)}
          confirm={text.delete}
          busy={text.deleting}
          cancel={text.cancel}
          isDanger
          onConfirm={() => onDelete(images)}
          onClose={() => setAsking(false)}
        >
          <p>{text.deleteText}</p>
          <Sample images={images} />
        </ConfirmDialog>
      )}
    </section>
  )
}

const sampleSize = 5

function Sample({ images }: { images: readonly Image[] }) {
  return (
    <div className="mt-4 flex flex-wrap items-center gap-2">
      {images.slice(0, sampleSize).map((image) => (
        <SampleImage key={image.id} image={image} />
      ))}
      {images.length > sampleSize && <span className="text-dense">{text.more(images.length - sampleSize)}</span>}
    </div>
  )
}

function SampleImage({ image }: { image: Image }) {
  const [thumbnail] = useSources(image, [image.thumbnailUrl])
  return (
    <img
      src={thumbnail}
      alt={image.original_name}
      width={limits.variant.thumbnailPx}
      height={limits.variant.thumbnailPx}
      className="size-14 rounded-tile bg-surface-2 object-cover"
    />
  )
}
