/** The order in which actions are left out: first what the tile itself does, then the rarest. */
const leftOutOrder = ['view', 'qr', 'extend', 'analyze', 'embed', 'share', 'delete', 'copy']

/** The actions for at most `maxButtons` buttons, in their order; the last may be for the menu. */
export function fitting<A extends { id: string }>(actions: readonly A[], maxButtons: number) {
  const inTile = actions.filter(({ id }) => id !== 'view')
  if (inTile.length <= maxButtons) return { shown: inTile, hasMore: false }
  const byNeed = inTile.toSorted((a, b) => leftOutOrder.indexOf(b.id) - leftOutOrder.indexOf(a.id))
  const included = new Set(byNeed.slice(0, Math.max(0, maxButtons - 1)))
  return { shown: inTile.filter((action) => included.has(action)), hasMore: true }
}
