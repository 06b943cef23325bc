// How wide the columns of the database view may be, in CSS pixels (ui.md section 4.4).

export type Column = 'sidebar' | 'panel'

export const columnWidths: Record<Column, { min: number; wide: number; max: number }> = {
  sidebar: { min: 192, wide: 360, max: 520 },
  panel: { min: 320, wide: 520, max: 640 },
}

/** As long as nobody has chosen one. @param windowPx the width of the window */
export const usualWidth = (column: Column, windowPx: number) =>
  column === 'sidebar' ? clamp(240, windowPx * 0.09, 360) : clamp(400, windowPx * 0.17, 640)

export function widthWithin(column: Column, width: number): number {
  const { min, max } = columnWidths[column]
  return clamp(min, width, max)
}

/** @returns undefined where none was chosen */
export const storedWidth = (column: Column, stored: string | null) =>
  stored !== null && /^\d{1,4}$/.test(stored) ? widthWithin(column, Number(stored)) : undefined

const clamp = (min: number, width: number, max: number) => Math.min(max, Math.max(min, Math.round(width)))

/** The next wider one of a few; after the widest, the narrowest. */
export function nextPreset(column: Column, width: number): number {
  const { min, wide, max } = columnWidths[column]
  return [wide, max].find((preset) => preset > width) ?? min
}
