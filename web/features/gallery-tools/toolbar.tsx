// Search, order, filters and the way of looking, above the gallery.
import { LayoutGrid, List, ListFilter, Lock, LockOpen, Search } from 'lucide-react'
import { clsx } from 'clsx'
import { useState } from 'react'
import { limits } from '../../../contract/limits.ts'
import { changeGalleryPrefs, rowHeights, useGalleryPrefs } from '../../data/gallery-prefs.ts'
import type { GalleryQuery } from '../../data/gallery.ts'
import { toolbar } from '../../notify/dashboard-messages.ts'
import { common } from '../../notify/messages.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { filterCount } from './address.ts'
import { ExpiryFilter, SortSelect, TypeFilter } from './selects.tsx'
import { useSearchField } from '../../ui/use-search-field.ts'

interface Props {
  query: GalleryQuery
  onQuery: (query: GalleryQuery) => void
  isReadOnly: boolean
  onReadOnly: (isReadOnly: boolean) => void
  /** undefined while it is not known. */
  found: number | undefined
}

export function Toolbar({ query, onQuery, isReadOnly, onReadOnly, found }: Props) {
  const [hasSheet, setSheet] = useState(false)
  const { view, rowHeight } = useGalleryPrefs()
  const field = useSearchField(query.q, (q) => onQuery({ ...query, q }))
  const selects = { query, onQuery }
  const LockIcon = isReadOnly ? Lock : LockOpen

  return (
    <search aria-label={toolbar.label} className="toolbar">
      <label className="toolbar-search">
        <span className="sr-only">{toolbar.search}</span>
        <Search
          className="pointer-events-none absolute top-1/2 left-3 size-4.5 -translate-y-1/2 text-text-3"
          aria-hidden
        />
        <input
          type="search"
          className="field pl-10 text-ellipsis"
          placeholder={toolbar.search}
          maxLength={limits.list.maxSearchLength}
          {...field}
        />
      </label>
      <div className="contents max-md:hidden">
        <SortSelect {...selects} />
        <ExpiryFilter {...selects} />
        <TypeFilter {...selects} />
      </div>
      <button
        type="button"
        className="btn btn-quiet px-3 md:hidden"
        aria-haspopup="dialog"
        onClick={() => setSheet(true)}
      >
        <ListFilter className="size-4.5" aria-hidden />
        {toolbar.filters(filterCount(query))}
      </button>
      <div className="ml-auto flex flex-wrap items-center justify-end gap-2">
        {view === 'grid' && (
          <input
            type="range"
            className="slider max-lg:hidden"
            aria-label={toolbar.size}
            title={toolbar.size}
            {...rowHeights}
            value={rowHeight ?? suggestedRowHeight()}
            onChange={(event) => changeGalleryPrefs({ rowHeight: event.target.valueAsNumber })}
          />
        )}
        <button
          type="button"
          className={clsx('btn-icon', isReadOnly && 'bg-accent-soft text-accent-text')}
          aria-pressed={isReadOnly}
          aria-label={toolbar.readOnly}
          title={toolbar.readOnly}
          onClick={() => onReadOnly(!isReadOnly)}
        >
          <LockIcon className="size-4.5" aria-hidden />
        </button>
        <div className="segments" role="group" aria-label={toolbar.view}>
          <Segment icon={LayoutGrid} label={toolbar.grid} of="grid" view={view} />
          <Segment icon={List} label={toolbar.list} of="list" view={view} />
        </div>
      </div>
      <p className="sr-only" role="status">
        {found !== undefined && (query.q !== '' || filterCount(query) > 0) && toolbar.found(found)}
      </p>
      {hasSheet && (
        <Dialog title={toolbar.filtersTitle} closeLabel={common.close} onClose={() => setSheet(false)}>
          <div className="bottom-sheet grid gap-4">
            <SortSelect {...selects} hasLabel />
            <ExpiryFilter {...selects} hasLabel />
            <TypeFilter {...selects} hasLabel />
            <button
              type="button"
              className="btn btn-primary mt-2"
              onClick={(event) => closeAround(event.currentTarget)}
            >
              {toolbar.apply}
            </button>
          </div>
        </Dialog>
      )}
    </search>
  )
}

const closeAround = (element: Element) => element.closest('dialog')?.close()

/** As the grid itself decides where nothing is chosen. */
const suggestedRowHeight = () => Math.min(340, Math.max(132, 0.07 * innerWidth + 90))

interface SegmentProps {
  icon: typeof List
  label: string
  of: 'grid' | 'list'
  view: 'grid' | 'list'
}

function Segment({ icon: Icon, label, of, view }: SegmentProps) {
  return (
    <button
      type="button"
      className="segment"
      aria-pressed={view === of}
      onClick={() => changeGalleryPrefs({ view: of })}
    >
      <Icon className="size-4" aria-hidden />
      <span className="md:max-lg:sr-only">{label}</span>
    </button>
  )
}
