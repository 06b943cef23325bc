// Bounds and steps for the column widths of the database view, in CSS pixels.

export type Column = 'sidebar' | 'panel'

export const columnWidths: Record<Column, { min: number; wide: number; max: number }> = {
  sidebar: { min: 192, wide: 360, max: 520 },
  panel: { min: 320, wide: 520, max: 640 },
}

/** The width before the user chooses one. @param windowPx the width of the window */
export const defaultWidth = (column: Column, windowPx: number) =>
  column === 'sidebar' ? clamp(240, windowPx * 0.09, 360) : clamp(400, windowPx * 0.17, 640)

export function widthWithin(column: Column, width: number): number {
  const { min, max } = columnWidths[column]
  return clamp(min, width, max)
}

/** @returns undefined when none was chosen */
export const storedWidth = (column: Column, stored: string | null) =>
  stored !== null && /^\d{1,4}$/.test(stored) ? widthWithin(column, Number(stored)) : undefined

const clamp = (min: number, width: number, max: number) => Math.min(max, Math.max(min, Math.round(width)))

/** The next wider step; after the widest, the narrowest. */
export function nextWidthStep(column: Column, width: number): number {
  const { min, wide, max } = columnWidths[column]
  return [wide, max].find((preset) => preset > width) ?? min
}
