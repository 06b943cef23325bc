import type { Move } from '../../model/albums/album-order.ts'

type List = readonly (string | undefined)[]

/** Between two presses of a key that is held. */
const waitMs = 500

/**
 * Saves moves one after another. Those of the same images in a row are one: only the last place counts.
 * @param save of a move, with the list before it. It must not throw
 */
export function createOrderSaver(save: (move: Move, from: List) => Promise<void>) {
  let waiting: { move: Move; from: List } | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let saving = Promise.resolve()

  function flush(): void {
    clearTimeout(timer)
    const next = waiting
    waiting = undefined
    if (next !== undefined) saving = saving.then(() => save(next.move, next.from))
  }

  return {
    flush,
    /** @param isLast false: another may follow soon */
    add(move: Move, from: List, isLast: boolean): void {
      if (waiting !== undefined && !isSame(waiting.move.ids, move.ids)) flush()
      waiting = { move, from: waiting?.from ?? from }
      clearTimeout(timer)
      if (isLast) flush()
      else timer = setTimeout(flush, waitMs)
    },
  }
}

const isSame = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((id, at) => id === other[at])
