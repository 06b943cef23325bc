import { useLayoutEffect, useRef } from 'react'
import { useGallery } from '../../model/images/gallery.ts'
import { gallery as text } from '../../texts/gallery-messages.ts'
import { SortHeads } from './sort-heads.tsx'
import { Empty, Failed, NothingMatches, Skeleton } from './gallery-states.tsx'
import { type GalleryProps, Tiles } from './tiles.tsx'
import { whenNothingHasFocus } from './use-stable-focus.ts'

const headingId = 'images'

/** The images of the signed-in user, with the states loading, empty and failed. */
export function Gallery(props: GalleryProps) {
  const gallery = useGallery()
  const { items, status } = gallery
  const heading = useRef<HTMLHeadingElement>(null)
  const count = useRef(0)

  // The focused element disappears with the last image, and the window may show what was far below it.
  useLayoutEffect(() => {
    const wasLast = count.current > 0 && items.length === 0
    count.current = items.length
    if (!wasLast) return
    scrollTo({ top: 0, behavior: 'instant' })
    whenNothingHasFocus(() => heading.current?.focus({ preventScroll: true }))
  }, [items.length])

  return (
    <section className="gallery" aria-labelledby={headingId} aria-busy={status === 'loading'}>
      <h2 id={headingId} ref={heading} tabIndex={-1} className="sr-only">
        {text.heading}
      </h2>
      {items.length > 0 && props.view === 'list' && gallery.query.album === undefined && (
        <SortHeads sort={gallery.query.sort} onSort={props.onSort} isReadOnly={props.isReadOnly ?? false} />
      )}
      {items.length > 0 && <Tiles {...props} gallery={gallery} labelledBy={headingId} />}
      {items.length === 0 && status === 'loading' && <Skeleton />}
      {items.length === 0 && status === 'ready' && (
        <>{props.hasFilters ? <NothingMatches onClear={props.onClearFilters} /> : (props.empty ?? <Empty />)}</>
      )}
      {(status === 'failed' || gallery.isPageMissing) && (
        <Failed title={gallery.isPageMissing ? text.pageMissing : text.fetchFailed} gallery={gallery} />
      )}
    </section>
  )
}
