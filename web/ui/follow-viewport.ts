/**
 * Calls `update` now, and at most once per frame whenever the page is scrolled, resized or changes
 * its height: elements that open or close above a list move it without a scroll event.
 * @returns the function that stops it, for an effect
 */
export function followViewport(update: () => void): () => void {
  let frame = 0
  const updateSoon = () => {
    frame ||= requestAnimationFrame(() => {
      frame = 0
      update()
    })
  }
  update()
  addEventListener('scroll', updateSoon, { passive: true })
  addEventListener('resize', updateSoon)
  const resizes = new ResizeObserver(updateSoon)
  resizes.observe(document.body)
  return () => {
    cancelAnimationFrame(frame)
    removeEventListener('scroll', updateSoon)
    removeEventListener('resize', updateSoon)
    resizes.disconnect()
  }
}
