// Computes the placeholder colour that is shown until the image has loaded.

import type { Pixels } from './pixels.ts'

/** The average colour as '#rrggbb', weighted by alpha; white where nothing is visible. */
export function averageColour({ data, channels }: Pixels): string {
  const colours = channels < 3 ? 1 : 3
  const hasAlpha = channels === 2 || channels === 4
  let [weight, red, green, blue] = [0, 0, 0, 0]
  for (let at = 0; at < data.length; at += channels) {
    const alpha = hasAlpha ? (data[at + colours] ?? 0) : 255
    weight += alpha
    red += (data[at] ?? 0) * alpha
    green += (data[at + (colours === 3 ? 1 : 0)] ?? 0) * alpha
    blue += (data[at + (colours === 3 ? 2 : 0)] ?? 0) * alpha
  }
  const average = [red, green, blue].map((sum) => (weight === 0 ? 255 : Math.round(sum / weight)))
  return `#${average.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}
