// The commands of the palette for the images that are selected, or for the one that had the focus when it opened.
import type { Image } from '../../contract/endpoints/images.ts'
import type { Command } from '../features/palette/rank-commands.ts'
import { galleryStore } from '../model/images/gallery.ts'
import { imageTargets } from '../model/images/image-targets.ts'
import { synonyms } from './synonyms.ts'
import { shownName } from '../model/images/stored-image.ts'

/** Called before the palette takes the focus. */
export function imageCommands(): Command[] {
  const targets = imageTargets.get()
  if (targets === null) return []
  const { selected, actions, ofSelected } = targets
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
  return ofSelected.flatMap(({ id, icon, command, isOff, run }) =>
    command === undefined || isOff === true
      ? []
      : [
          {
            id: `${id}-all`,
            group: 'selection',
            label: command,
            ...(id === 'album' && { synonyms: synonyms.albums }),
            Icon: icon,
            run: () => void run(),
          },
        ],
  )
}

function focusedImage(): Image | undefined {
  const at = document.activeElement?.closest<HTMLElement>('[data-at]')?.dataset.at
  return at === undefined ? undefined : galleryStore.get().items[Number(at)]
}
