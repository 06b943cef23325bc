// The slideshow of the lightbox: how long an image stays, its button, and that nothing but the image is seen meanwhile.
interface Parts {
  dialog: HTMLDialogElement
  /** Starts and pauses it. */
  run: HTMLButtonElement
  caption: HTMLElement
  next: () => void
}

const slideMs = 4000
const idleMs = 2500

export function createSlideshow({ dialog, run, caption, next }: Parts) {
  const labels = { play: run.getAttribute('aria-label') ?? '', pause: run.dataset.pause ?? '' }
  let slide: ReturnType<typeof setTimeout> | undefined
  let idle: ReturnType<typeof setTimeout> | undefined
  let isPlaying = false

  function planSlide(): void {
    clearTimeout(slide)
    if (isPlaying && dialog.open) slide = setTimeout(next, slideMs)
  }

  /** While it plays, nothing but the image is seen until the reader moves. */
  function wake(): void {
    dialog.classList.remove('idle')
    clearTimeout(idle)
    if (isPlaying) idle = setTimeout(() => dialog.classList.add('idle'), idleMs)
  }

  function setPlaying(isNext: boolean): void {
    isPlaying = isNext
    run.setAttribute('aria-pressed', String(isPlaying))
    run.setAttribute('aria-label', isPlaying ? labels.pause : labels.play)
    // Otherwise each image would be read out.
    caption.setAttribute('aria-live', isPlaying ? 'off' : 'polite')
    planSlide()
    wake()
  }

  return {
    wake,
    setPlaying,
    toggle: () => setPlaying(!isPlaying),
    /** Counted from when the image is there: on a slow line nothing is skipped. */
    planAfter(image: HTMLImageElement): void {
      clearTimeout(slide)
      if (isPlaying) void image.decode().then(planSlide, planSlide)
    },
  }
}
