// The toolbar above the dashboard's gallery: search, order, filters, image size, read-only mode, grid or list.
import { FolderPlus, ListFilter, Lock, LockOpen } from 'lucide-react'
import { clsx } from 'clsx'
import { useState } from 'react'
import { changeGalleryPrefs, useGalleryPrefs } from './gallery-prefs.ts'
import { rowHeights, suggestedRowHeight } from '../../model/stored-gallery-prefs.ts'
import type { GalleryQuery } from '../../model/images/gallery.ts'
import { paths } from '../../paths.ts'
import { liveAlbum } from '../../texts/albums/adding-messages.ts'
import { toolbar } from '../../texts/dashboard-messages.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Switch } from '../../ui/forms/switch.tsx'
import { ViewSwitch } from '../../ui/forms/view-switch.tsx'
import { Link } from '../../ui/link.tsx'
import { QueryChips } from './search/query-chips.tsx'
import { QueryField } from './search/query-field.tsx'
import { Tooltip } from '../../ui/tooltip.tsx'
import { filterCount } from './gallery-address.ts'
import { GallerySelects } from './filter-selects.tsx'

interface Props {
  query: GalleryQuery
  onQuery: (query: GalleryQuery) => void
  isReadOnly: boolean
  onReadOnly: (isReadOnly: boolean) => void
  /** The number of images; undefined while unknown. */
  found: number | undefined
}

export function Toolbar({ query, onQuery, isReadOnly, onReadOnly, found }: Props) {
  const [hasSheet, setSheet] = useState(false)
  const { view, rowHeight } = useGalleryPrefs()
  const LockIcon = isReadOnly ? Lock : LockOpen

  return (
    <search aria-label={toolbar.label} className="toolbar">
      <QueryField label={toolbar.search} text={query.q} onSearch={(q) => onQuery({ ...query, q })} />
      <div className="toolbar-selects">
        <GallerySelects query={query} onQuery={onQuery} />
      </div>
      <button
        type="button"
        className="btn-icon toolbar-filters"
        aria-haspopup="dialog"
        aria-label={toolbar.filters(filterCount(query))}
        onClick={() => setSheet(true)}
      >
        <ListFilter className="size-4.5" aria-hidden />
        {filterCount(query) > 0 && <span className="toolbar-count">{filterCount(query)}</span>}
      </button>
      <div className="ml-auto flex items-center justify-end gap-2">
        {view === 'grid' && (
          <Tooltip text={toolbar.size}>
            <input
              type="range"
              className="slider"
              aria-label={toolbar.size}
              {...rowHeights}
              value={rowHeight ?? suggestedRowHeight(innerWidth)}
              onChange={(event) => changeGalleryPrefs({ rowHeight: event.target.valueAsNumber })}
            />
          </Tooltip>
        )}
        <Tooltip text={toolbar.readOnly}>
          <button
            type="button"
            className={clsx('btn-icon toolbar-lock', isReadOnly && 'bg-accent-soft text-accent-text')}
            aria-pressed={isReadOnly}
            aria-label={toolbar.readOnly}
            onClick={() => onReadOnly(!isReadOnly)}
          >
            <LockIcon className="size-4.5" aria-hidden />
          </button>
        </Tooltip>
        <ViewSwitch view={view} onView={(next) => changeGalleryPrefs({ view: next })} />
      </div>
      {query.q !== '' && (
        <div className="query-chips items-center">
          <QueryChips query={query.q} onSearch={(q) => onQuery({ ...query, q })} />
          <Link to={`${paths.albums}?query=${encodeURIComponent(query.q)}`} className="btn btn-ghost btn-sm">
            <FolderPlus className="size-4" aria-hidden />
            {liveAlbum.save}
          </Link>
        </div>
      )}
      <p className="sr-only" role="status">
        {found !== undefined && (query.q !== '' || filterCount(query) > 0) && toolbar.found(found)}
      </p>
      {hasSheet && (
        <Dialog title={toolbar.filtersTitle} onClose={() => setSheet(false)}>
          <div className="bottom-sheet grid gap-4">
            <GallerySelects query={query} onQuery={onQuery} hasLabels />
            <Switch label={toolbar.readOnly} isOn={isReadOnly} onChange={onReadOnly} />
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
