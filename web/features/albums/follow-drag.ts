// Dragging a tile of the gallery: by mouse at once, by finger after a long press, which also selects.

interface Handlers {
  /** The pointer went down on a tile: what will be dragged is decided before the press selects it. */
  press: (at: number) => void
  /** @returns whether it can be dragged */
  start: (tile: Element, isTouch: boolean) => boolean
  /** Also while the page scrolls below the pointer. */
  move: (x: number, y: number) => void
  end: (isDropped: boolean) => void
}

const [startPx, heldPx, longPressMs] = [6, 10, 500]
/** Near these edges of the window the page scrolls. */
const edgePx = 88
const maxScrollPx = 18

/** @param root around the tiles (features/gallery/tile-slot.tsx). @returns ends that */
export function followDrag(root: HTMLElement, { press, start, move, end }: Handlers): () => void {
  const ended = new AbortController()
  const { signal } = ended
  let pressed: { pointer: number; x: number; y: number; tile: Element; isTouch: boolean } | undefined
  let isArmed = false
  let isDragging = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let frame = 0
  let [x, y] = [0, 0]

  function onDown(event: PointerEvent): void {
    const { button, pointerType, pointerId, shiftKey, ctrlKey, metaKey } = event
    const link = (event.target as Element).closest('.slot-link')
    const tile = link?.closest<HTMLElement>('[data-at]')
    if (isDragging) return stop(false)
    release()
    if (!tile || button !== 0 || shiftKey || ctrlKey || metaKey) return
    const isTouch = pointerType === 'touch'
    ;[x, y] = [event.clientX, event.clientY]
    pressed = { pointer: pointerId, x, y, tile, isTouch }
    isArmed = !isTouch
    press(Number(tile.dataset.at))
    if (isTouch) timer = setTimeout(() => (isArmed = true), longPressMs)
  }

  function onMove(event: PointerEvent): void {
    if (pressed === undefined || event.pointerId !== pressed.pointer) return
    ;[x, y] = [event.clientX, event.clientY]
    if (isDragging) return move(x, y)
    const px = Math.hypot(x - pressed.x, y - pressed.y)
    if (!isArmed && px > heldPx) release()
    else if (isArmed && px > startPx) begin()
  }

  function begin(): void {
    if (pressed === undefined || !start(pressed.tile, pressed.isTouch)) return release()
    isDragging = true
    root.setPointerCapture(pressed.pointer)
    move(x, y)
    frame = requestAnimationFrame(scroll)
  }

  /** Faster, the nearer the pointer is to the edge. */
  function scroll(): void {
    const depth = y < edgePx ? y - edgePx : Math.max(0, y - (innerHeight - edgePx))
    if (depth !== 0) {
      scrollBy({
        top: Math.sign(depth) * Math.ceil(Math.min(1, Math.abs(depth) / edgePx) * maxScrollPx),
        behavior: 'instant',
      })
      move(x, y)
    }
    frame = requestAnimationFrame(scroll)
  }

  function stop(isDropped: boolean): void {
    const wasDragging = isDragging
    release()
    if (!wasDragging) return
    ignoreClick()
    end(isDropped)
  }

  function release(): void {
    clearTimeout(timer)
    cancelAnimationFrame(frame)
    pressed = undefined
    isArmed = false
    isDragging = false
  }

  const isOwn = ({ pointerId }: PointerEvent) => pressed?.pointer === pointerId
  root.addEventListener('pointerdown', onDown, { signal })
  addEventListener('pointermove', onMove, { signal })
  addEventListener('pointerup', (event) => isOwn(event) && stop(true), { signal })
  addEventListener('pointercancel', (event) => isOwn(event) && stop(false), { signal })
  addEventListener('blur', () => stop(false), { signal })
  addEventListener(
    'keydown',
    (event) => {
      if (!isDragging || event.key !== 'Escape') return
      event.preventDefault()
      event.stopPropagation()
      stop(false)
    },
    { signal, capture: true },
  )
  // The finger moves the image, not the page.
  root.addEventListener('touchmove', (event) => isArmed && event.cancelable && event.preventDefault(), {
    signal,
    passive: false,
  })
  return () => {
    stop(false)
    ended.abort()
  }
}

/** The click at the end of the drag, if there is one, follows at once. */
function ignoreClick(): void {
  const ended = new AbortController()
  addEventListener(
    'click',
    (event) => {
      event.preventDefault()
      event.stopPropagation()
    },
    { capture: true, signal: ended.signal },
  )
  setTimeout(() => ended.abort())
}
