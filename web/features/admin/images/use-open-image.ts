import { useState } from 'react'
import type { ModeratedImage } from '../../../../contract/endpoints/moderation.ts'

/**
 * The image in the lightbox, and its neighbours.
 * @param onNearEnd called on the way to the last loaded image
 */
export function useOpenImage(images: readonly ModeratedImage[], onNearEnd: () => void) {
  const [opened, setOpened] = useState<ModeratedImage>()
  const at = images.findIndex(({ id }) => id === opened?.id)

  function step(by: -1 | 1): (() => void) | undefined {
    const to = images[at + by]
    if (to === undefined) return undefined
    return () => {
      setOpened(to)
      if (at + by + 2 >= images.length) onNearEnd()
    }
  }

  /** Shows the image that took the place of a removed one. @returns whether the open image was removed */
  function leave(removed: ReadonlySet<string>): boolean {
    if (opened === undefined || !removed.has(opened.id)) return false
    setOpened(images[at + 1] ?? images[at - 1])
    return true
  }

  return {
    // Shown until the next one is, when it was just removed from the list.
    image: images[at] ?? opened,
    at: Math.max(0, at),
    open: setOpened,
    close: () => setOpened(undefined),
    previous: step(-1),
    next: step(1),
    leave,
  }
}
