import { Images } from 'lucide-react'
import { useRef, useState } from 'react'
import { troubleOf } from '../../../model/api-error.ts'
import { moderationLimits } from '../../../../contract/plain/moderation-limits.ts'
import type { ModeratedImage } from '../../../../contract/endpoints/moderation.ts'
import { allImagesQuery, useAdminImages, type AdminImageQuery } from './admin-images.ts'
import { useOnline } from '../../../model/online.ts'
import { adminImages as texts } from '../../../texts/admin/admin-images-messages.ts'
import { SearchField } from '../../../ui/forms/search-field.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import { LoadFailure } from '../../../ui/load-failure.tsx'
import { EmptyState, ListFallback, loadingStateOf, Skeletons } from '../loading-states.tsx'
import { SelectionBar } from '../selection-bar.tsx'
import { DecisionButtons } from './decision-buttons.tsx'
import { DecisionDialog } from './decision-dialog.tsx'
import { ImageGrid } from './image-grid.tsx'
import { AdminLightbox } from './image-lightbox.tsx'
import { useDecisions } from './use-decisions.ts'
import './images.css'

interface Props {
  query: AdminImageQuery
  onQuery: (query: AdminImageQuery) => void
}

/** Everyone's images: search, look at, quarantine, restore, remove, block. */
export function ImagesPanel({ query, onQuery }: Props) {
  const list = useAdminImages(query)
  const { images, total } = list.data ?? { images: [], total: 0 }
  const [selection, setSelection] = useState<ReadonlySet<string>>(new Set())
  const [opened, setOpened] = useState<ModeratedImage>()
  const isOnline = useOnline()
  const title = useRef<HTMLHeadingElement>(null)
  const openAt = images.findIndex(({ id }) => id === opened?.id)
  // Shown until the next one is, when it was just removed from the list.
  const open = images[openAt] ?? opened
  const selected = selection.size === 0 ? [] : images.filter(({ id }) => selection.has(id))

  const { outcome, asked, isBusy, start, confirm, close } = useDecisions(leave)
  const isOff = !isOnline || isBusy

  /** Shows the image that took the place of a removed one; without it, focuses the title. */
  function leave(removed: readonly ModeratedImage[]): void {
    const ids = new Set(removed.map(({ id }) => id))
    setSelection(new Set([...selection].filter((id) => !ids.has(id))))
    if (opened !== undefined && ids.has(opened.id)) setOpened(images[openAt + 1] ?? images[openAt - 1])
    else requestAnimationFrame(() => title.current?.focus())
  }

  function search(next: AdminImageQuery): void {
    setSelection(new Set())
    onQuery(next)
  }

  function loadMore(): void {
    if (list.hasNextPage && !list.isFetching && !list.isFetchNextPageError) void list.fetchNextPage()
  }

  function step(by: -1 | 1): (() => void) | undefined {
    const to = images[openAt + by]
    if (to === undefined) return undefined
    return () => {
      setOpened(to)
      if (openAt + by + 2 >= images.length) loadMore()
    }
  }

  const isFiltered = query.q !== '' || query.status !== undefined
  const { isLoading, isReady } = loadingStateOf(list)
  return (
    <section className="grid gap-4" aria-labelledby="images" aria-busy={isLoading}>
      <div className="flex flex-wrap items-baseline gap-x-3">
        <h2 id="images" ref={title} tabIndex={-1} className="text-h2">
          {texts.title}
        </h2>
        <p role="status" className="text-dense text-text-2 tabular-nums">
          {isReady && (isFiltered ? texts.found(total) : texts.count(total))}
        </p>
      </div>
      <search aria-label={texts.searchLabel} className="users-search">
        <SearchField
          className="toolbar-search images-search"
          label={texts.search}
          maxLength={moderationLimits.maxSearchLength}
          text={query.q}
          onSearch={(q) => search({ ...query, q })}
        />
        <Select
          label={texts.status}
          value={query.status ?? ''}
          options={[
            ['', texts.anyStatus],
            ['quarantined', texts.quarantinedOnly],
          ]}
          onChange={(status) => search({ ...query, status: status === '' ? undefined : status })}
        />
      </search>
      <p role="status" className="text-dense font-medium text-success-text empty:hidden">
        {outcome}
      </p>
      <ListFallback
        list={list}
        isEmpty={images.length === 0}
        failed={texts.failed}
        skeletons={
          <div className="moderated-loading">
            <Skeletons count={12} className="h-59" />
          </div>
        }
      >
        <EmptyState icon={<Images className="size-6.5" aria-hidden />} title={isFiltered ? texts.none : texts.noneYet}>
          {isFiltered && (
            <button type="button" className="btn btn-quiet mt-4" onClick={() => search(allImagesQuery)}>
              {texts.clear}
            </button>
          )}
        </EmptyState>
      </ListFallback>
      {images.length > 0 && (
        <ImageGrid
          images={images}
          total={total}
          selection={selection}
          onSelect={setSelection}
          onOpen={setOpened}
          onNearEnd={loadMore}
        />
      )}
      {list.isFetchNextPageError && (
        <LoadFailure title={texts.moreFailed} {...troubleOf(list.error)} onRetry={() => list.fetchNextPage()} isBar />
      )}
      {list.hasNextPage && (
        <p role="status" className="moderated-more">
          {list.isFetchingNextPage && texts.loadingMore}
        </p>
      )}
      {selected.length > 0 && (
        <SelectionBar
          label={texts.selected}
          count={selected.length}
          loaded={images.length}
          onSelectAll={() => setSelection(new Set(images.map(({ id }) => id)))}
          onClear={() => setSelection(new Set())}
        >
          <DecisionButtons images={selected} isOff={isOff} onDecide={(decision) => void start(decision, selected)} />
        </SelectionBar>
      )}
      {open !== undefined && (
        <AdminLightbox
          image={open}
          at={Math.max(0, openAt)}
          total={total}
          isOff={isOff}
          onPrevious={step(-1)}
          onNext={step(1)}
          onDecide={(decision) => void start(decision, [open])}
          onFind={(next) => {
            setOpened(undefined)
            search(next)
          }}
          onClose={() => setOpened(undefined)}
        />
      )}
      {asked !== undefined && (
        <DecisionDialog {...asked} onConfirm={(reason) => confirm(asked, reason)} onClose={close} />
      )}
    </section>
  )
}
