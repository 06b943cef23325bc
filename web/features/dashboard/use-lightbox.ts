import { useCallback, useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
// The router's own hook decodes the search once: %2F within a name would be lost.
import { useSearch } from 'wouter/use-browser-location'
import type { Image } from '../../../contract/endpoints/images.ts'
import { retryGallery, showRange, useGallery } from '../../model/images/gallery.ts'
import { findImage } from '../../model/images/change-images.ts'
import { withParams } from './gallery-address.ts'
import { lookup } from '../../texts/dashboard-messages.ts'
import { notify } from '../../ui/toast/toast.ts'

/** Id of the image that the address names. */
export const viewedId = () => new URLSearchParams(location.search).get('image')

/** The image at full size, named in the address: it can be linked, and going back closes it. */
export function useLightbox() {
  const [path, navigate] = useLocation()
  const search = useSearch()
  const { items, status, isPageMissing } = useGallery()
  const id = new URLSearchParams(search).get('image')
  const at = id === null ? -1 : items.findIndex((item) => item?.id === id)
  const [found, setFound] = useState<Image>()
  const isAlone = id !== null && at < 0 && found?.id === id

  const go = useCallback(
    (image: string | undefined, isNew: boolean) =>
      navigate(path + withParams(location.search, { image }), { replace: !isNew, state: isNew ? opened : null }),
    [navigate, path],
  )

  // An image that has left the list, mostly because it was deleted: its neighbour takes its place.
  const last = useRef<{ id: string; at: number }>(undefined)
  useEffect(() => {
    if (id !== null && at >= 0) last.current = { id, at }
    else if (id !== null && last.current?.id === id && status !== 'loading') {
      const next = items[last.current.at] ?? items[last.current.at - 1]
      navigate(path + withParams(location.search, { image: next?.id }), { replace: true, state: history.state })
    }
  }, [id, at, status, items, navigate, path])

  // A link may name an image that is not loaded or not in the list.
  useEffect(() => {
    if (id === null || at >= 0 || status === 'loading' || last.current?.id === id) return
    let isWanted = true
    findImage(id).then(
      (image) => isWanted && setFound(image),
      (error: unknown) => {
        console.info('The linked image cannot be shown', error)
        if (!isWanted) return
        notify.error(lookup.failed)
        go(undefined, false)
      },
    )
    return () => {
      isWanted = false
    }
  }, [id, at, status, go])

  return {
    id,
    images: isAlone ? [found] : items,
    index: isAlone ? 0 : at >= 0 ? at : undefined,
    isInList: at >= 0,
    /** Returns the place in the list of the one that was viewed last. */
    lastViewed: useCallback(() => last.current?.at, []),
    open: useCallback((image: Image) => go(image.id, true), [go]),
    /** Set while images around the viewed one failed to load. */
    retryMissing: isPageMissing ? retryGallery : undefined,
    /** The viewed image has changed; the list shows it by itself. */
    refresh: setFound,
    move: (index: number) => {
      showRange(index, index + 1)
      const image = items[index]
      // Replaces the history entry: going back closes the viewer.
      if (image !== undefined && !isAlone)
        navigate(path + withParams(location.search, { image: image.id }), { replace: true, state: history.state })
    },
    close: (index?: number) => {
      // Going back has closed it already.
      if (viewedId() === null) return
      const image = index === undefined || isAlone ? undefined : items[index]
      if (index !== undefined && image !== undefined && image.id !== id) {
        last.current = { id: image.id, at: index }
        // Not by the router, for which the page would be rendered once more before it is seen.
        const address = path + withParams(location.search, { image: image.id })
        History.prototype.replaceState.call(history, history.state, '', address)
      }
      if (history.state?.isViewer === true) history.back()
      else go(undefined, false)
    },
  }
}

/** Marks the history entry that opening an image has added: closing goes back over it. */
const opened = { isViewer: true }
