// Where the focus goes when the rows of a list panel change. The new rows are on screen in the next frame.

/**
 * Focuses a row, or the last one; without rows, the title.
 * @param panelId of the title
 * @param rowHead selects what gets the focus in each row
 */
export function focusRow(panelId: string, at: number, rowHead = 'tbody th'): void {
  requestAnimationFrame(() => {
    const title = document.getElementById(panelId)
    const heads = [...(title?.closest('section')?.querySelectorAll<HTMLElement>(rowHead) ?? [])]
    const next = heads[at] ?? heads.at(-1) ?? title
    next?.focus()
  })
}

export function focusTitle(panelId: string): void {
  requestAnimationFrame(() => document.getElementById(panelId)?.focus())
}
