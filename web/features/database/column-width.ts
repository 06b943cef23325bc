// How wide the columns of the database view may be, in CSS pixels (ui.md section 4.4).

export type Column = 'sidebar' | 'panel'

export const columnWidths: Record<Column, { min: number; usual: number; wide: number; max: number }> = {
  sidebar: { min: 192, usual: 240, wide: 360, max: 520 },
  panel: { min: 320, usual: 400, wide: 520, max: 640 },
}

export function widthWithin(column: Column, width: number): number {
  const { min, max } = columnWidths[column]
  return Math.min(max, Math.max(min, Math.round(width)))
}

export const storedWidth = (column: Column, stored: string | null) =>
  stored !== null && /^\d{1,4}$/.test(stored) ? widthWithin(column, Number(stored)) : columnWidths[column].usual

/** The next wider one of a few; after the widest, the narrowest. */
export function nextPreset(column: Column, width: number): number {
  const { min, usual, wide, max } = columnWidths[column]
  return [usual, wide, max].find((preset) => preset > width) ?? min
}
