import { useCallback, useMemo, useRef, useState } from 'react'
import type { Image } from '../../contract/images.ts'
import { loadAll } from '../data/gallery.ts'
import { selection as text } from '../texts/dashboard-messages.ts'
import { notify } from '../ui/toast/toast.ts'

const none: ReadonlySet<string> = new Set()

/** The selected images. One that leaves the list leaves the selection. */
export function useImageSelection(items: readonly (Image | undefined)[]) {
  const [ids, setIds] = useState(none)
  const [isReading, setReading] = useState(false)
  /**
   * Counts the requests to select all: the list may be complete only after the selection was
   * cleared.
   */
  const requests = useRef(0)
  const images = useMemo(
    () => (ids.size === 0 ? [] : (items.filter((item) => item !== undefined && ids.has(item.id)) as Image[])),
    [items, ids],
  )
  const selectAll = async () => {
    const mine = ++requests.current
    setReading(true)
    try {
      const all = new Set((await loadAll()).map(({ id }) => id))
      if (mine === requests.current) setIds(all)
    } catch (error) {
      console.info(text.readFailed, error)
      notify.error(text.readFailed)
    }
    if (mine === requests.current) setReading(false)
  }
  const clear = useCallback(() => {
    requests.current++
    setReading(false)
    setIds(none)
  }, [])
  const listedIds = useMemo(
    () => (images.length === ids.size ? ids : new Set(images.map(({ id }) => id))),
    [ids, images],
  )
  return { ids: listedIds, images, isReading, select: setIds, selectAll, clear }
}
