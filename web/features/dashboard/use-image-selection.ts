import { useCallback, useMemo, useRef, useState } from 'react'
import type { Image } from '../../../contract/endpoints/images.ts'
import { loadAll } from '../../model/images/gallery.ts'
import { selection as text } from '../../texts/dashboard-messages.ts'
import { notify } from '../../ui/toast/toast.ts'

const none: ReadonlySet<string> = new Set()

/** The selected images of the list. An image that returns to the list, for example after an undo, is selected again. */
export function useImageSelection(items: readonly (Image | undefined)[]) {
  const [ids, setIds] = useState(none)
  const [isSelectingAll, setSelectingAll] = useState(false)
  /** Counts the requests to select all: the selection may be cleared before a list is complete. */
  const selectAllRequests = useRef(0)
  const images = useMemo(
    () => (ids.size === 0 ? [] : (items.filter((item) => item !== undefined && ids.has(item.id)) as Image[])),
    [items, ids],
  )
  const selectAll = async () => {
    const mine = ++selectAllRequests.current
    setSelectingAll(true)
    try {
      const all = new Set((await loadAll()).map(({ id }) => id))
      if (mine === selectAllRequests.current) setIds(all)
    } catch (error) {
      notify.failure(text.readFailed, error)
    }
    if (mine === selectAllRequests.current) setSelectingAll(false)
  }
  const clear = useCallback(() => {
    selectAllRequests.current++
    setSelectingAll(false)
    setIds(none)
  }, [])
  const listedIds = useMemo(
    () => (images.length === ids.size ? ids : new Set(images.map(({ id }) => id))),
    [ids, images],
  )
  return { ids: listedIds, images, isSelectingAll, select: setIds, selectAll, clear }
}
