import { useCallback, useMemo, useRef, useState } from 'react'
import type { Image } from '../../contract/images.ts'
import { readAll } from '../data/gallery.ts'
import { selection as text } from '../texts/dashboard-messages.ts'
import { notify } from '../ui/toast/toast.ts'

const none: ReadonlySet<string> = new Set()

/** Which images are selected. One that leaves the list leaves the selection. */
export function useSelection(items: readonly (Image | undefined)[]) {
  const [ids, setIds] = useState(none)
  const [isReading, setReading] = useState(false)
  /** Counts what was asked: all of them may be known only after they are no longer wanted. */
  const asked = useRef(0)
  const images = useMemo(
    () => (ids.size === 0 ? [] : (items.filter((item) => item !== undefined && ids.has(item.id)) as Image[])),
    [items, ids],
  )
  const selectAll = async () => {
    const mine = ++asked.current
    setReading(true)
    try {
      const all = new Set((await readAll()).map(({ id }) => id))
      if (mine === asked.current) setIds(all)
    } catch (error) {
      console.info(text.readFailed, error)
      notify.error(text.readFailed)
    }
    if (mine === asked.current) setReading(false)
  }
  const clear = useCallback(() => {
    asked.current++
    setReading(false)
    setIds(none)
  }, [])
  const living = useMemo(() => (images.length === ids.size ? ids : new Set(images.map(({ id }) => id))), [ids, images])
  return { ids: living, images, isReading, select: setIds, selectAll, clear }
}
