// Swipes of a finger. The image follows it, and springs back where the way was too short.

interface Swipes {
  left: () => void
  right: () => void
  down: () => void
}

/** CSS pixels. */
const leastPx = 60

export function onSwipe(stage: HTMLElement, swipes: Swipes): void {
  let start: { x: number; y: number; id: number } | undefined

  const moveTo = (x: number) => {
    const [image] = stage.children
    if (image instanceof HTMLElement) image.style.transform = x === 0 ? '' : `translateX(${x}px)`
  }

  stage.addEventListener('pointerdown', ({ pointerType, isPrimary, clientX, clientY, pointerId }) => {
    // A second finger zooms.
    start = pointerType === 'mouse' || !isPrimary ? undefined : { x: clientX, y: clientY, id: pointerId }
    if (start === undefined) moveTo(0)
  })
  stage.addEventListener('pointermove', ({ clientX, clientY, pointerId }) => {
    if (start?.id !== pointerId) return
    const [x, y] = [clientX - start.x, clientY - start.y]
    if (Math.abs(x) > Math.abs(y)) moveTo(x)
  })
  stage.addEventListener('pointercancel', () => {
    start = undefined
    moveTo(0)
  })
  stage.addEventListener('pointerup', ({ clientX, clientY, pointerId }) => {
    if (start?.id !== pointerId) return
    const [x, y] = [clientX - start.x, clientY - start.y]
    start = undefined
    moveTo(0)
    swipeOf(x, y, swipes)?.()
  })
}

function swipeOf(x: number, y: number, { left, right, down }: Swipes): (() => void) | undefined {
  if (Math.abs(x) > Math.abs(y)) {
    if (Math.abs(x) < leastPx) return undefined
    return x < 0 ? left : right
  }
  return y > 2 * leastPx ? down : undefined
}
