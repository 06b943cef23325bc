import { useLayoutEffect, useRef } from 'react'

/** The props of a modal dialog that is open while mounted, and closes when it unmounts. */
export function useModal(onClose: () => void) {
  const ref = useRef<HTMLDialogElement>(null)

  useLayoutEffect(() => {
    const dialog = ref.current
    const opener = document.activeElement
    dialog?.showModal()
    if (dialog !== null && opener !== null) growFrom(opener.getBoundingClientRect(), dialog)
    return () => dialog?.close()
  }, [])

  return {
    ref,
    // In development effects run twice, so the dialog may be open again.
    onClose: () => ref.current?.open !== true && onClose(),
  }
}

/** Animates the stage from the place of the thumbnail. */
function growFrom(from: DOMRect, dialog: HTMLDialogElement): void {
  const isVisible = from.width > 0 && from.width < innerWidth && from.bottom > 0 && from.top < innerHeight
  const stage = dialog.querySelector('.lightbox-stage')
  if (!isVisible || stage === null || matchMedia('(prefers-reduced-motion: reduce)').matches) return
  const to = stage.getBoundingClientRect()
  const x = from.x + from.width / 2 - (to.x + to.width / 2)
  const y = from.y + from.height / 2 - (to.y + to.height / 2)
  const scale = Math.max(from.width / to.width, from.height / to.height)
  stage.animate([{ transform: `translate(${x}px, ${y}px) scale(${scale})`, opacity: 0.4 }, { transform: 'none' }], {
    duration: 240,
    easing: 'cubic-bezier(.2, .8, .2, 1)',
  })
}
