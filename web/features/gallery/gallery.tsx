import { useLayoutEffect, useRef } from 'react'
import type { Image } from '../../../contract/images.ts'
import { useGallery } from '../../data/gallery.ts'
import { gallery as text } from '../../texts/gallery-messages.ts'
import type { Action } from '../../ui/action.ts'
import { TooltipArea } from '../../ui/tooltip.tsx'
import { Empty, Failed, NothingMatches, PageMissing, Skeleton } from './states.tsx'
import { Tiles } from './tiles.tsx'
import { whenNothingHasFocus } from './use-kept-focus.ts'

export interface GalleryProps {
  view: 'grid' | 'list'
  /** Of the grid, in px, about. By the window's width when it is not given. */
  rowHeight?: number
  /** In the order of the bar over a picture. */
  actions: readonly Action<Image>[]
  selection: ReadonlySet<string>
  onSelect: (ids: ReadonlySet<string>) => void
  onSelectAll: () => void
  onOpen: (image: Image) => void
  /** Everything that can be done, where there is no room for buttons. */
  onMore: (image: Image) => void
  isReadOnly?: boolean
  onToggleView?: () => void
  /** Keys that are one letter. */
  shortcutsOn?: boolean
  hasFilters: boolean
  onClearFilters: () => void
}

const headingId = 'images'

/** The signed-in user's images in whatever state they are: on their way, there, none, or not to be had. */
export function Gallery(props: GalleryProps) {
  const gallery = useGallery()
  const { items, status } = gallery
  const heading = useRef<HTMLHeadingElement>(null)
  const count = useRef(0)

  // With the last image goes the place where the keyboard was.
  useLayoutEffect(() => {
    const wasLast = count.current > 0 && items.length === 0
    count.current = items.length
    if (wasLast) whenNothingHasFocus(() => heading.current?.focus({ preventScroll: true }))
  }, [items.length])

  return (
    <TooltipArea>
      <section className="gallery" aria-labelledby={headingId} aria-busy={status === 'loading'}>
        <h2 id={headingId} ref={heading} tabIndex={-1} className="sr-only">
          {text.heading}
        </h2>
        {items.length > 0 && <Tiles {...props} gallery={gallery} labelledBy={headingId} />}
        {items.length === 0 && status === 'loading' && <Skeleton />}
        {items.length === 0 && status === 'ready' && (
          <>{props.hasFilters ? <NothingMatches onClear={props.onClearFilters} /> : <Empty />}</>
        )}
        {status === 'failed' && <Failed isInline={items.length > 0} />}
        {gallery.isPageMissing && <PageMissing />}
      </section>
    </TooltipArea>
  )
}
