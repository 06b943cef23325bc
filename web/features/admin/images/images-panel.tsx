import { useInfiniteQuery } from '@tanstack/react-query'
import { Images } from 'lucide-react'
import { moderationLimits } from '../../../../contract/plain/moderation-limits.ts'
import type { ModeratedImage } from '../../../../contract/endpoints/moderation.ts'
import { adminImageList, allImagesQuery, type AdminImageQuery } from './admin-images.ts'
import { useOnline } from '../../../model/online.ts'
import { queryClient } from '../../../model/query-client.ts'
import { pagesOf } from '../../../model/row-list.ts'
import { adminImages as texts } from '../../../texts/admin/admin-images-messages.ts'
import { SearchField } from '../../../ui/forms/search-field.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import { ListPanel } from '../../../ui/list-panel/list-panel.tsx'
import { EmptyList, NoMatch, Skeletons } from '../../../ui/list-panel/list-states.tsx'
import { focusTitle } from '../../../ui/list-panel/row-focus.ts'
import { SelectionBar } from '../../../ui/list-panel/selection-bar.tsx'
import { useSelection } from '../../../ui/list-panel/use-selection.ts'
import { LoadFailure } from '../../../ui/load-failure.tsx'
import { DecisionButtons } from './decision-buttons.tsx'
import { DecisionDialog } from './decision-dialog.tsx'
import { ImageGrid } from './image-grid.tsx'
import { AdminLightbox } from './image-lightbox.tsx'
import { useDecisions } from './use-decisions.ts'
import { useOpenImage } from './use-open-image.ts'
import './images.css'

interface Props {
  query: AdminImageQuery
  onQuery: (query: AdminImageQuery) => void
}

/** Everyone's images: search, look at, quarantine, restore, remove, block. */
export function ImagesPanel({ query, onQuery }: Props) {
  const pages = useInfiniteQuery(adminImageList(query), queryClient)
  const list = pagesOf(pages)
  const { rows: images, total } = list
  const selection = useSelection(images, ({ id }) => id)
  const lightbox = useOpenImage(images, loadMore)
  const { outcome, asked, isBusy, start, confirm, close } = useDecisions(leave)
  const isOnline = useOnline()
  const isOff = !isOnline || isBusy

  function leave(removed: readonly ModeratedImage[]): void {
    const ids = new Set(removed.map(({ id }) => id))
    selection.select(new Set([...selection.keys].filter((id) => !ids.has(id))))
    if (!lightbox.leave(ids)) focusTitle('images')
  }

  function search(next: AdminImageQuery): void {
    selection.clear()
    lightbox.close()
    onQuery(next)
  }

  function loadMore(): void {
    if (pages.hasNextPage && !pages.isFetching && !pages.isFetchNextPageError) void pages.fetchNextPage()
  }

  const isFiltered = query.q !== '' || query.status !== undefined
  return (
    <>
      <ListPanel
        id="images"
        texts={texts}
        list={list}
        count={isFiltered ? texts.found : texts.count}
        filters={<Filters query={query} onQuery={search} />}
        outcome={outcome}
        skeletons={
          <div className="moderated-loading">
            <Skeletons count={12} className="h-59" />
          </div>
        }
        empty={
          isFiltered ? (
            <NoMatch icon={Images} title={texts.none} clear={texts.clear} onClear={() => search(allImagesQuery)} />
          ) : (
            <EmptyList icon={Images} title={texts.noneYet} />
          )
        }
        more={<More {...list.nextPage} />}
      >
        <ImageGrid
          images={images}
          total={total}
          selection={selection.keys}
          onSelect={selection.select}
          onOpen={lightbox.open}
          onNearEnd={loadMore}
        />
      </ListPanel>
      <SelectionBar label={texts.selected} selection={selection}>
        <DecisionButtons
          images={selection.selected}
          isOff={isOff}
          onDecide={(decision) => void start(decision, selection.selected)}
        />
      </SelectionBar>
      {lightbox.image !== undefined && (
        <AdminLightbox
          image={lightbox.image}
          at={lightbox.at}
          total={total}
          isOff={isOff}
          onPrevious={lightbox.previous}
          onNext={lightbox.next}
          onDecide={(decision, image) => void start(decision, [image])}
          onFind={search}
          onClose={lightbox.close}
        />
      )}
      {asked !== undefined && (
        <DecisionDialog {...asked} onConfirm={(reason) => confirm(asked, reason)} onClose={close} />
      )}
    </>
  )
}

const Filters = ({ query, onQuery }: Props) => (
  <>
    <SearchField
      className="toolbar-search images-search"
      label={texts.search}
      maxLength={moderationLimits.maxSearchLength}
      text={query.q}
      onSearch={(q) => onQuery({ ...query, q })}
    />
    <Select
      label={texts.status}
      value={query.status ?? ''}
      options={[
        ['', texts.anyStatus],
        ['quarantined', texts.quarantinedOnly],
      ]}
      onChange={(status) => onQuery({ ...query, status: status === '' ? undefined : status })}
    />
  </>
)

/** The grid loads the next page by itself. */
const More = ({ exists, isLoading, trouble, load }: ReturnType<typeof pagesOf>['nextPage']) => (
  <>
    {trouble !== undefined && <LoadFailure title={texts.moreFailed} {...trouble} onRetry={load} isBar />}
    {exists && (
      <p role="status" className="moderated-more">
        {isLoading && texts.loadingMore}
      </p>
    )}
  </>
)
