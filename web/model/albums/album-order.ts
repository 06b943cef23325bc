// Where images of an album go, and how to put them back. Pure.

export interface Move {
  ids: readonly string[]
  /** The image that they come to be in front of; undefined: at the end. */
  before: string | undefined
}

type Ids = readonly (string | undefined)[]

/**
 * The move that puts images at a slot of the list as it is shown.
 * @param ids of the images, in any order: they keep the one of the list
 * @returns undefined: nothing would change, or the place is not loaded
 */
export function moveToSlot(list: Ids, ids: ReadonlySet<string>, slot: number): Move | undefined {
  const moved = list.filter((id): id is string => id !== undefined && ids.has(id))
  const isMoved = (id: string | undefined) => id !== undefined && ids.has(id)
  let at = slot
  while (at < list.length && isMoved(list[at])) at++
  if (at < list.length && list[at] === undefined) return undefined
  const move = { ids: moved, before: list[at] }
  return isSame(list, orderAfter(list, move)) ? undefined : move
}

/**
 * The move by some slots: the images come together, around the place of the first one.
 * @returns undefined as above
 */
export function moveBy(list: Ids, ids: ReadonlySet<string>, slots: number): Move | undefined {
  const rest = list.filter((id) => id === undefined || !ids.has(id))
  const first = list.findIndex((id) => id !== undefined && ids.has(id))
  const to = Math.max(0, Math.min(rest.length, first + slots))
  if (to < rest.length && rest[to] === undefined) return undefined
  const move = { ids: list.filter((id): id is string => id !== undefined && ids.has(id)), before: rest[to] }
  return isSame(list, orderAfter(list, move)) ? undefined : move
}

export function orderAfter(list: Ids, { ids, before }: Move): Ids {
  const moved = new Set<string | undefined>(ids)
  const rest = list.filter((id) => id === undefined || !moved.has(id))
  const at = before === undefined ? rest.length : rest.indexOf(before)
  return rest.toSpliced(at, 0, ...ids)
}

/**
 * The moves that restore an order: one for each run of neighbours, the last one first.
 * @returns undefined: what followed them is not loaded
 */
export function movesBack(list: Ids, ids: ReadonlySet<string>): Move[] | undefined {
  const moves: Move[] = []
  let run: string[] = []
  let before: string | undefined
  for (let at = list.length - 1; at >= -1; at--) {
    const id = list[at]
    if (at >= 0 && id !== undefined && ids.has(id)) {
      if (run.length === 0 && at + 1 < list.length && list[at + 1] === undefined) return undefined
      if (run.length === 0) before = list[at + 1]
      run.unshift(id)
    } else if (run.length > 0) {
      moves.push({ ids: run, before })
      run = []
    }
  }
  return moves
}

const isSame = (one: Ids, other: Ids) => one.every((id, at) => id === other[at])
