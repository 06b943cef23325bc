// The geometry of the chart of uploads, in fractions of the plot from 0 to 1.

interface Bar {
  x: number
  width: number
  height: number
}

export interface Chart {
  bars: Bar[]
  /** Values at the grid lines, from the bottom up; the last is the top of the plot. */
  lines: number[]
}

const barShare = 0.72

export function chartOf(values: readonly number[]): Chart {
  const top = roundTop(Math.max(0, ...values))
  const step = 1 / Math.max(1, values.length)
  return {
    bars: values.map((value, at) => ({
      x: (at + (1 - barShare) / 2) * step,
      width: barShare * step,
      height: Math.max(0, value) / top,
    })),
    lines: [0, top / 2, top],
  }
}

/** The index of the bar at a position of the plot. */
export const barAt = (x: number, count: number) => Math.min(count - 1, Math.max(0, Math.floor(x * count)))

/** The next round number whose half is a whole number. */
function roundTop(max: number): number {
  for (let power = 1; ; power *= 10)
    for (const digit of [2, 4, 6, 8, 10]) if (digit * power >= max) return digit * power
}
