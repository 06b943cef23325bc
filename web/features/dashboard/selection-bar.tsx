// Actions for the selected images, at the end of the window while any is selected.
import {
  CalendarPlus,
  ChevronDown,
  Copy,
  FolderMinus,
  FolderPlus,
  Globe,
  Lock,
  Pin,
  Share2,
  Tags,
  Trash2,
  X,
} from 'lucide-react'
import { useState } from 'react'
import type { Image } from '../../../contract/endpoints/images.ts'
import type { Visibility } from '../../../contract/plain/visibility.ts'
import { copyChoices, type CopyChoice, setLastFormat, useCopyChoice } from '../../model/copy-choice.ts'
import { isKept } from '../../model/images/expiry.ts'
import { mayKeepImages } from '../../model/images/may-keep.ts'
import { isPrivate } from '../../model/images/visibility.ts'
import { copyText } from '../../ui/copy/copy-text.ts'
import { inAlbum } from '../../texts/albums/adding-messages.ts'
import { actions, expiring, selection as text, tagging, visibility } from '../../texts/dashboard-messages.ts'
import { gallery } from '../../texts/gallery-messages.ts'
import { CopyButton } from '../../ui/copy/copy-button.tsx'
import { focusMain } from '../../ui/focus-main.ts'
import { useClearByEscape } from '../../ui/list-panel/use-selection.ts'
import { LiveText } from '../../ui/live-text.tsx'
import { SmallButton } from '../../ui/small-button.tsx'

interface Props {
  images: readonly Image[]
  /** Those of the user: others can be copied. */
  own: readonly Image[]
  /** Those that the user may remove from the album on whose page they are. */
  removable: readonly Image[]
  /** The ids of all images are being loaded. */
  isSelectingAll: boolean
  /** What is copied of an image. */
  textOf: (image: Image, choice: CopyChoice) => string
  onExtend: (images: readonly Image[]) => Promise<void>
  onVisibility: (images: readonly Image[], visibility: Visibility) => Promise<void>
  onKeep: (images: readonly Image[]) => Promise<void>
  onTag: (images: readonly Image[]) => void
  onAlbum: (images: readonly Image[]) => void
  /** From the album on whose page they are. */
  onRemove?: ((images: readonly Image[]) => Promise<void>) | undefined
  onShare: (images: readonly Image[]) => void
  /** Without a confirmation: it can be undone. */
  onDelete: (images: readonly Image[]) => Promise<void>
  onClear: () => void
}

export function SelectionBar(props: Props) {
  const { images, own, removable, isSelectingAll, textOf, onRemove, onClear } = props
  const choice = useCopyChoice()
  const [isRemoving, setRemoving] = useState(false)
  const n = images.length
  const done = text.copied(n, text.formats[choice])

  useClearByEscape(onClear)

  return (
    <section className="selection-bar image-selection" aria-label={text.label}>
      <LiveText className="selection-count font-semibold tabular-nums">
        {isSelectingAll ? text.reading : text.count(n, own.length)}
      </LiveText>
      <button
        type="button"
        className="btn btn-ghost btn-sm selection-clear"
        onClick={() => {
          onClear()
          focusMain()
        }}
      >
        <X className="size-4" aria-hidden />
        {text.clear}
      </button>
      <div className="selection-copy">
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
      </div>
      <div className="selection-actions">
        {onRemove !== undefined && removable.length > 0 && (
          <SmallButton
            icon={FolderMinus}
            text={inAlbum.removeShort}
            name={inAlbum.remove}
            isOff={isSelectingAll || isRemoving}
            onPress={() => void during(setRemoving, onRemove(removable))}
          />
        )}
        {(own.length > 0 || isSelectingAll) && <OwnActions {...props} images={own} />}
      </div>
    </section>
  )
}

/** For images of the user. */
function OwnActions({
  images,
  isSelectingAll,
  onShare,
  onExtend,
  onVisibility,
  onKeep,
  onTag,
  onAlbum,
  onDelete,
}: Props) {
  const [isDeleting, setDeleting] = useState(false)
  const [isExtending, setExtending] = useState(false)
  const [isChanging, setChanging] = useState(false)
  const [isKeeping, setKeeping] = useState(false)
  const expiringImages = images.filter((image) => !isKept(image))
  const next = images.every(isPrivate) ? 'public' : 'private'
  return (
    <>
      <SmallButton
        icon={Share2}
        text={actions.share}
        isOff={isSelectingAll}
        opensDialog
        onPress={() => onShare(images)}
      />
      <SmallButton
        icon={CalendarPlus}
        text={gallery.extendSelected}
        isOff={isSelectingAll || isExtending || expiringImages.length === 0}
        onPress={() => void during(setExtending, onExtend(expiringImages))}
      />
      {mayKeepImages() && (
        <SmallButton
          icon={Pin}
          text={expiring.keep}
          isOff={isSelectingAll || isKeeping || expiringImages.length === 0}
          onPress={() => void during(setKeeping, onKeep(expiringImages))}
        />
      )}
      <SmallButton
        icon={next === 'private' ? Lock : Globe}
        text={next === 'private' ? visibility.makePrivate : visibility.makePublic}
        isOff={isSelectingAll || isChanging}
        onPress={() => void during(setChanging, onVisibility(images, next))}
      />
      <SmallButton icon={Tags} text={tagging.action} isOff={isSelectingAll} opensDialog onPress={() => onTag(images)} />
      <SmallButton
        icon={FolderPlus}
        text={inAlbum.add}
        name={inAlbum.addTo}
        isOff={isSelectingAll}
        opensDialog
        onPress={() => onAlbum(images)}
      />
      <SmallButton
        icon={Trash2}
        text={isDeleting ? text.deleting : text.delete}
        isDanger
        isOff={isSelectingAll || isDeleting}
        onPress={() => void during(setDeleting, onDelete(images))}
      />
    </>
  )
}

async function during(setBusy: (isBusy: boolean) => void, task: Promise<void>): Promise<void> {
  setBusy(true)
  await task
  setBusy(false)
}
