// The commands of the palette for the images that are selected, or for the one that had the focus when it opened.
import { CalendarClock, CalendarPlus, FolderPlus, Globe, Link2, Lock, Pin, Tags, Trash2 } from 'lucide-react'
import type { Image } from '../../contract/endpoints/images.ts'
import type { Command } from '../features/palette/rank-commands.ts'
import { isKept } from '../model/images/expiry.ts'
import { mayKeepImages } from '../model/images/may-keep.ts'
import { galleryStore } from '../model/images/gallery.ts'
import { imageTargets } from '../model/images/image-targets.ts'
import { palette } from '../texts/palette-messages.ts'
import { synonyms } from './synonyms.ts'
import { shownName } from '../model/images/stored-image.ts'

/** Called before the palette takes the focus. */
export function imageCommands(): Command[] {
  const targets = imageTargets.get()
  if (targets === null) return []
  const { selected, actions } = targets
  const focused = focusedImage()
  const [only = focused] = selected
  if (selected.length <= 1) {
    if (only === undefined) return []
    return actions
      .filter((action) => action.isDisabled?.(only) !== true && (action.isFor?.(only) ?? true))
      .map(({ id, label, icon, run }) => ({
        id: `image-${id}`,
        group: 'selection',
        label,
        heading: shownName(only),
        Icon: icon,
        run: () => void run(only),
      }))
  }
  const n = selected.length
  return [
    {
      id: 'copy-all',
      group: 'selection',
      label: palette.copySome(n),
      Icon: Link2,
      run: () => targets.copyAll(selected),
    },
    {
      id: 'extend-all',
      group: 'selection',
      label: palette.extendSome(n),
      Icon: CalendarPlus,
      run: () => targets.extendAll(selected.filter((image) => !isKept(image))),
    },
    ...(mayKeepImages() && !selected.every(isKept)
      ? [
          {
            id: 'keep-all',
            group: 'selection' as const,
            label: palette.keepSome(n),
            Icon: Pin,
            run: () => targets.keepAll(selected.filter((image) => !isKept(image))),
          },
        ]
      : []),
    {
      id: 'expiry-all',
      group: 'selection',
      label: palette.expiryOfSome(n),
      Icon: CalendarClock,
      run: () => targets.chooseExpiryOfAll(selected),
    },
    ...(['private', 'public'] as const)
      .filter((visibility) => selected.some((image) => image.visibility !== visibility))
      .map((visibility): Command => ({
        id: `${visibility}-all`,
        group: 'selection',
        label: palette.visibilityOfSome(n, visibility),
        Icon: visibility === 'private' ? Lock : Globe,
        run: () => targets.changeVisibility(selected, visibility),
      })),
    {
      id: 'tag-all',
      group: 'selection',
      label: palette.tagSome(n),
      Icon: Tags,
      run: () => targets.tagAll(selected),
    },
    {
      id: 'album-all',
      group: 'selection',
      label: palette.addSomeToAlbum(n),
      synonyms: synonyms.albums,
      Icon: FolderPlus,
      run: () => targets.addAllToAlbum(selected),
    },
    {
      id: 'delete-all',
      group: 'selection',
      label: palette.deleteSome(n),
      Icon: Trash2,
      run: () => targets.deleteAll(selected),
    },
  ]
}

function focusedImage(): Image | undefined {
  const at = document.activeElement?.closest<HTMLElement>('[data-at]')?.dataset.at
  return at === undefined ? undefined : galleryStore.get().items[Number(at)]
}
