// Which tiles of a long grid are in view: all tiles have the same size.

/** In rem. Every tile has this height: its image takes what the text below leaves (image-tile.tsx). */
const tile = { minWidth: 12.5, height: 14.75, gap: 0.75 }
const overscanRows = 2

interface View {
  /** Of the grid, in px. */
  widthPx: number
  /** From the start of the grid to the start of the window; negative above it. */
  scrolledPx: number
  windowPx: number
  remPx: number
  count: number
}

export interface TileWindow {
  columns: number
  columnPx: number
  rowPx: number
  gapPx: number
  /** The first tile to render, and the one after the last. */
  first: number
  end: number
}

export function windowOf({ widthPx, scrolledPx, windowPx, remPx, count }: View): TileWindow {
  const gapPx = tile.gap * remPx
  const columns = Math.max(1, Math.floor((widthPx + gapPx) / (tile.minWidth * remPx + gapPx)))
  const rowPx = (tile.height + tile.gap) * remPx
  const rows = Math.ceil(count / columns)
  const clamp = (row: number) => Math.min(rows, Math.max(0, row))
  return {
    columns,
    columnPx: Math.max(0, (widthPx - gapPx * (columns - 1)) / columns),
    rowPx,
    gapPx,
    first: clamp(Math.floor(scrolledPx / rowPx) - overscanRows) * columns,
    end: Math.min(count, clamp(Math.ceil((scrolledPx + windowPx) / rowPx) + overscanRows) * columns),
  }
}

export function gridHeightPx({ columns, rowPx, gapPx }: TileWindow, count: number): number {
  return Math.max(0, Math.ceil(count / columns) * rowPx - gapPx)
}

/** Returns the position of a tile within the grid. */
export function tileBox({ columns, columnPx, rowPx, gapPx }: TileWindow, at: number) {
  return {
    left: (at % columns) * (columnPx + gapPx),
    top: Math.floor(at / columns) * rowPx,
    width: columnPx,
    height: rowPx - gapPx,
  }
}

/** Returns the tile that a key moves to; undefined when the key moves nowhere. */
export function tileAfterKey(key: string, at: number, { columns }: TileWindow, count: number): number | undefined {
  const targets: Record<string, number> = {
    ArrowLeft: at - 1,
    ArrowRight: at + 1,
    ArrowUp: at - columns,
    ArrowDown: at + columns,
    Home: 0,
    End: count - 1,
  }
  const to = targets[key]
  return to === undefined || to < 0 || to >= count || to === at ? undefined : to
}
