// Actions for the selected images, at the end of the window while any is selected.
import { CalendarPlus, ChevronDown, Copy, Globe, Lock, Tags, Trash2, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Image } from '../../../contract/endpoints/images.ts'
import type { Visibility } from '../../../contract/plain/visibility.ts'
import { copyChoices, type CopyChoice, setLastFormat, useCopyChoice } from '../../model/copy-choice.ts'
import { isPrivate } from '../../model/images/visibility.ts'
import { copyText } from '../../ui/copy/copy-text.ts'
import { selection as text, tagging, visibility } from '../../texts/dashboard-messages.ts'
import { notify } from '../../ui/toast/toast.ts'
import { CopyButton } from '../../ui/copy/copy-button.tsx'
import { focusMain } from '../../ui/focus-main.ts'
import { LiveText } from '../../ui/live-text.tsx'

interface Props {
  images: readonly Image[]
  /** The ids of all images are being loaded. */
  isSelectingAll: boolean
  /** What is copied of an image. */
  textOf: (image: Image, choice: CopyChoice) => string
  onExtend: (images: readonly Image[]) => Promise<void>
  onVisibility: (images: readonly Image[], visibility: Visibility) => Promise<void>
  onTag: (images: readonly Image[]) => void
  /** Returns the reason of a failure. */
  onDelete: (images: readonly Image[]) => Promise<string | undefined>
  onClear: () => void
}

export function SelectionBar(props: Props) {
  const { images, isSelectingAll, textOf, onExtend, onVisibility, onTag, onDelete, onClear } = props
  const choice = useCopyChoice()
  const [isDeleting, setDeleting] = useState(false)
  const [isExtending, setExtending] = useState(false)
  const [isChanging, setChanging] = useState(false)
  const next = images.every(isPrivate) ? 'public' : 'private'
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

  /** Without a confirmation: it can be undone. */
  async function deleteAll(): Promise<void> {
    setDeleting(true)
    const reason = await onDelete(images)
    setDeleting(false)
    // Empty when the session has ended, which is already reported.
    if (reason !== undefined && reason !== '') notify.error(reason)
  }

  return (
    <section className="selection-bar" aria-label={text.label}>
      <LiveText className="font-semibold tabular-nums">{isSelectingAll ? text.reading : text.count(n)}</LiveText>
      <div className="selection-actions">
        <span className="select">
          <select
            aria-label={text.copyAs}
            value={choice}
            onChange={(event) => setLastFormat(copyChoices[event.target.selectedIndex] ?? 'url')}
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
          className="btn btn-quiet btn-sm"
          disabled={isSelectingAll || isChanging}
          onClick={async () => {
            setChanging(true)
            await onVisibility(images, next)
            setChanging(false)
          }}
        >
          {next === 'private' ? <Lock className="size-4" aria-hidden /> : <Globe className="size-4" aria-hidden />}
          {next === 'private' ? visibility.makePrivate : visibility.makePublic}
        </button>
        <button
          type="button"
          className="btn btn-quiet btn-sm"
          aria-haspopup="dialog"
          disabled={isSelectingAll}
          onClick={() => onTag(images)}
        >
          <Tags className="size-4" aria-hidden />
          {tagging.action}
        </button>
        <button
          type="button"
          className="btn btn-quiet btn-sm text-danger-text"
          disabled={isSelectingAll || isDeleting}
          onClick={() => void deleteAll()}
        >
          <Trash2 className="size-4" aria-hidden />
          {isDeleting ? text.deleting : text.delete}
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
    </section>
  )
}
