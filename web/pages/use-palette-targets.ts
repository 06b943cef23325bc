import { useEffect } from 'react'
import type { Image } from '../../contract/endpoints/images.ts'
import { type CopyChoice, useCopyChoice } from '../model/copy-choice.ts'
import { type ImageTargets, imageTargets } from '../model/images/image-targets.ts'
import type { useUndoableChanges } from '../features/dashboard/use-undoable-changes.ts'
import { selection as texts } from '../texts/dashboard-messages.ts'
import { copyText } from '../ui/copy/copy-text.ts'
import { copiedText } from './copy-image.ts'

interface Given extends Pick<ImageTargets, 'selected' | 'actions'> {
  extend: (images: readonly Image[]) => Promise<unknown>
  undoable: Pick<ReturnType<typeof useUndoableChanges>, 'removeAll' | 'changeVisibility' | 'keep'>
  tag: ImageTargets['tagAll']
  addToAlbum: ImageTargets['addAllToAlbum']
  chooseExpiry: ImageTargets['chooseExpiryOfAll']
}

/** Copies them in the chosen way, one a line. */
export const copyImages = (images: readonly Image[], choice: CopyChoice): Promise<boolean> =>
  copyText(
    images.map((image) => copiedText(image, choice)).join('\n'),
    texts.copied(images.length, texts.formats[choice]),
  )

/** Tells the command palette what it can do with the images of the dashboard. @param given undefined: nothing */
export function usePaletteTargets(given: Given | undefined): void {
  const choice = useCopyChoice()
  // After every render: the selection or what is done with it may be another one.
  useEffect(() => {
    if (given === undefined) return
    const { selected, actions, extend, tag, addToAlbum, chooseExpiry, undoable } = given
    imageTargets.set({
      selected,
      actions,
      copyAll: (images) => void copyImages(images, choice),
      extendAll: (images) => void extend(images),
      deleteAll: (images) => void undoable.removeAll(images),
      changeVisibility: (images, visibility) => void undoable.changeVisibility(images, visibility),
      tagAll: tag,
      addAllToAlbum: addToAlbum,
      keepAll: (images) => void undoable.keep(images),
      chooseExpiryOfAll: chooseExpiry,
    })
    return () => imageTargets.set(null)
  })
}
