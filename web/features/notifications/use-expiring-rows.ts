// The rows of the expiry alerts. An extended image leaves the cached list at once; its row stays
// a moment longer to show the new date.
import { type Dispatch, type SetStateAction, useCallback, useMemo, useState } from 'react'
import type { Image } from '../../../contract/endpoints/images.ts'
import { rowCloseMs, mergeRows, type ExpiringImage } from './expiring-rows.ts'

/** An extended image stays in the list this long, with its new date. */
const extendedShownMs = 2000

/**
 * A constant function that extends images one after another, stops at the first failure and shows a
 * toast.
 * @returns whether all were extended
 */
export type ExtendImages = (
  images: readonly Image[],
  on: {
    start: (image: Image) => void
    /** @param expiresAt the new date */
    done: (image: Image, expiresAt: string | null) => void
    failed: (image: Image) => void
  },
) => Promise<boolean>

export function useExpiringRows(images: readonly Image[], extend: ExtendImages) {
  const [held, setHeld] = useState<ReadonlyMap<string, ExpiringImage>>(new Map())
  const [isAllBusy, setAllBusy] = useState(false)
  const rows = mergeRows(images, held)

  const phases = useMemo(() => phasesIn(setHeld), [])
  const extendOne = useCallback((image: Image) => extend([image], phases), [extend, phases])

  async function extendAll(): Promise<void> {
    setAllBusy(true)
    const idle = rows.filter(({ phase }) => phase === 'idle').map(({ image }) => image)
    await extend(idle, phases)
    setAllBusy(false)
  }

  return { rows, isAllBusy, extendOne, extendAll }
}

function phasesIn(setHeld: Dispatch<SetStateAction<ReadonlyMap<string, ExpiringImage>>>): Parameters<ExtendImages>[1] {
  const hold = (row: ExpiringImage) => setHeld((before) => new Map(before).set(row.image.id, row))
  const release = (id: string) => setHeld((before) => new Map([...before].filter(([heldId]) => heldId !== id)))
  return {
    start: (image) => hold({ image, phase: 'busy' }),
    done: (image, expiresAt) => {
      const extendedTo = expiresAt ?? undefined
      hold({ image, phase: 'done', extendedTo })
      setTimeout(() => hold({ image, phase: 'leaving', extendedTo }), extendedShownMs)
      setTimeout(() => release(image.id), extendedShownMs + rowCloseMs)
    },
    failed: ({ id }) => release(id),
  }
}
