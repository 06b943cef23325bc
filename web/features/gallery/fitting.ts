/** Who leaves first where there is no room for all: what the tile itself does, then what is needed least often. */
const leaving = ['view', 'qr', 'extend', 'analyze', 'embed', 'share', 'delete', 'copy']

/** The actions that `room` buttons can show, in their order; where some are left out, one button is for the others. */
export function fitting<A extends { id: string }>(actions: readonly A[], room: number) {
  const inTile = actions.filter(({ id }) => id !== 'view')
  if (inTile.length <= room) return { shown: inTile, hasMore: false }
  const byNeed = inTile.toSorted((a, b) => leaving.indexOf(b.id) - leaving.indexOf(a.id))
  const kept = new Set(byNeed.slice(0, Math.max(0, room - 1)))
  return { shown: inTile.filter((action) => kept.has(action)), hasMore: true }
}
