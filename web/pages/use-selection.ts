import { useCallback, useMemo, useState } from 'react'
import type { Image } from '../../contract/images.ts'
import { readAll } from '../data/gallery.ts'
import { selection as text } from '../notify/dashboard-messages.ts'
import { notify } from '../notify/toast.ts'

const none: ReadonlySet<string> = new Set()

/** Which images are selected. One that leaves the list leaves the selection. */
export function useSelection(items: readonly (Image | undefined)[]) {
  const [ids, setIds] = useState(none)
  const [isReading, setReading] = useState(false)
  const images = useMemo(
    () => (ids.size === 0 ? [] : (items.filter((item) => item !== undefined && ids.has(item.id)) as Image[])),
    [items, ids],
  )
  const selectAll = async () => {
    setReading(true)
    try {
      setIds(new Set((await readAll()).map(({ id }) => id)))
    } catch (error) {
      console.info(text.readFailed, error)
      notify.error(text.readFailed)
    }
    setReading(false)
  }
  return { ids, images, isReading, select: setIds, selectAll, clear: useCallback(() => setIds(none), []) }
}
