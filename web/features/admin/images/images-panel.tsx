import { Images } from 'lucide-react'
import { useState } from 'react'
import { moderationLimits } from '../../../../contract/plain/moderation-limits.ts'
import type { ModeratedImage } from '../../../../contract/endpoints/moderation.ts'
import { adminImageList, allImagesQuery, type AdminImageQuery } from './admin-images.ts'
import { useOnline } from '../../../model/online.ts'
import { usePages } from '../../../model/row-list.ts'
import { adminImages as texts } from '../../../texts/admin/admin-images-messages.ts'
import { SearchField } from '../../../ui/forms/search-field.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import { ListPanel } from '../../../ui/list-panel/list-panel.tsx'
import { focusTitle } from '../../../ui/list-panel/row-focus.ts'
import { SelectionBar } from '../../../ui/list-panel/selection-bar.tsx'
import { Skeletons } from '../../../ui/list-panel/skeletons.tsx'
import { useSelection } from '../../../ui/list-panel/use-selection.ts'
import { LoadFailure } from '../../../ui/load-failure.tsx'
import { BlockUploaderDialog } from './block-uploader-dialog.tsx'
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
  const list = usePages(adminImageList(query))
  const { rows: images, total } = list
  const selection = useSelection(images, ({ id }) => id)
  const lightbox = useOpenImage(images, loadMore)
  const { outcome, attempt, asked, isBusy, start, confirm, close } = useDecisions(leave)
  const [uploadedHere, setUploadedHere] = useState<ModeratedImage>()
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
    const { exists, isBlocked, trouble, load } = list.nextPage
    if (exists && !isBlocked && trouble === undefined) void load()
  }

  const isFiltered = query.q !== '' || query.status !== undefined
  return (
    <>
      <ListPanel
        id="images"
        icon={Images}
        texts={texts}
        list={list}
        filters={<Filters query={query} onQuery={search} />}
        outcome={outcome}
        skeletons={
          <div className="grid grid-cols-[repeat(auto-fill,minmax(min(12.5rem,100%),1fr))] gap-3">
            <Skeletons count={12} className="h-59" />
          </div>
        }
        onClear={isFiltered ? () => search(allImagesQuery) : undefined}
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
          onBlockUploader={setUploadedHere}
          onClose={lightbox.close}
        />
      )}
      {uploadedHere !== undefined && (
        <BlockUploaderDialog image={uploadedHere} attempt={attempt} onClose={() => setUploadedHere(undefined)} />
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
      className="toolbar-search lg:max-w-[32rem] lg:basis-[24rem]"
      label={texts.search}
      maxLength={moderationLimits.maxSearchLength}
      text={query.q}
      onSearch={(q) => onQuery({ ...query, q })}
    />
    <Select
      isFilter
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
const More = ({ exists, isLoading, trouble, load }: ReturnType<typeof usePages>['nextPage']) => (
  <>
    {trouble !== undefined && <LoadFailure title={texts.moreFailed} {...trouble} onRetry={load} isBar />}
    {exists && (
      // Keeps the footer below the window, so that loading more images shifts nothing.
      <p role="status" className="min-h-svh text-center text-dense text-text-2">
        {isLoading && texts.loadingMore}
      </p>
    )}
  </>
)
