import { useEffectEvent, useLayoutEffect, useRef } from 'react'

/**
 * The properties of a dialog that is open as long as it is mounted: the browser traps the focus, closes it on Escape and
 * gives the focus back, even where it goes because the address did (Back).
 */
export function useModal(onClose: () => void, onOpened: () => void) {
  const ref = useRef<HTMLDialogElement>(null)
  const opened = useEffectEvent(onOpened)

  useLayoutEffect(() => {
    const dialog = ref.current
    const opener = document.activeElement
    dialog?.showModal()
    if (dialog !== null && opener !== null) growFrom(opener.getBoundingClientRect(), dialog)
    opened()
    return () => dialog?.close()
  }, [])

  return {
    ref,
    // It may be open again: in development, effects run twice.
    onClose: () => ref.current?.open !== true && onClose(),
  }
}

/** The one movement: the picture comes from where its small one was. */
function growFrom(from: DOMRect, dialog: HTMLDialogElement): void {
  const isSeen = from.width > 0 && from.width < innerWidth && from.bottom > 0 && from.top < innerHeight
  const stage = dialog.querySelector('.lightbox-stage')
  if (!isSeen || stage === null || matchMedia('(prefers-reduced-motion: reduce)').matches) return
  const to = stage.getBoundingClientRect()
  const x = from.x + from.width / 2 - (to.x + to.width / 2)
  const y = from.y + from.height / 2 - (to.y + to.height / 2)
  const scale = Math.max(from.width / to.width, from.height / to.height)
  stage.animate([{ transform: `translate(${x}px, ${y}px) scale(${scale})`, opacity: 0.4 }, { transform: 'none' }], {
    duration: 240,
    easing: 'cubic-bezier(.2, .8, .2, 1)',
  })
}
