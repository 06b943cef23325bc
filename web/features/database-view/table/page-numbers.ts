// The page numbers that the pagination shows.

export type PageItem = number | 'gap'

const allUpTo = 5

/** @returns an empty list for one page or none. A gap stands for at least two pages. */
export function pageItems(current: number, total: number): PageItem[] {
  if (total <= 1) return []
  if (total <= allUpTo) return Array.from({ length: total }, (_, at) => at + 1)
  const first = Math.min(Math.max(current - 1, 1), total - 2)
  const shown = [...new Set([1, first, first + 1, first + 2, total])].toSorted((a, b) => a - b)
  return shown.flatMap((page, at): PageItem[] => {
    const missing = page - (shown[at - 1] ?? 0) - 1
    if (missing === 0) return [page]
    return [missing === 1 ? page - 1 : 'gap', page]
  })
}

/** The typed page, clamped to the existing pages; undefined when it is not a number. */
export function parsePage(text: string, total: number): number | undefined {
  const typed = text.replaceAll(/[\s,]/g, '')
  return /^\d+$/.test(typed) ? Math.min(Math.max(Number(typed), 1), total) : undefined
}
