// The widths in which images are rendered on demand. A requested width is rounded up to the next one, so that equal files
// serve similar requests. The page imports it, so it stays free of zod.

/**
 * In pixels. Each is at most 1.28 times the one below it: a file has at most that many times the
 * width that was requested (docs/decisions/0045).
 */
export const widthLadder = [
  64, 80, 100, 128, 160, 200, 256, 320, 400, 512, 640, 800, 1000, 1200, 1400, 1600, 2000, 2400, 3000, 3600, 4096,
] as const

const widest: number = widthLadder.at(-1) ?? 0

/** The least width of the ladder that is at least `width`, or the largest one. */
export const ladderWidth = (width: number): number => widthLadder.find((rung) => rung >= width) ?? widest

/** No screen shows an image narrower. */
const narrowestSourcePx = 320
/** Physical pixels of a CSS pixel, on phones. */
const maxDensity = 3

/**
 * The widths to offer in the `srcset` of an image, ascending: those of the ladder, the largest of
 * which is sharp on every screen, and the image's own width where that is less.
 * @param imageWidth of the original, in pixels
 * @param shownWidth the largest width in which a page shows the image, in CSS pixels
 */
export function sourceWidths(imageWidth: number, shownWidth: number): number[] {
  const largest = Math.min(imageWidth, ladderWidth(shownWidth * maxDensity))
  const narrower = widthLadder.filter((width) => width >= narrowestSourcePx && width < largest)
  return [...narrower, largest]
}
