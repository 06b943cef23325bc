// The states of the gallery without images: loading, empty, no match, failed.
import { SearchX } from 'lucide-react'
import { useRef } from 'react'
import { troubleOf } from '../../model/api-error.ts'
import { uploadLimits } from '../../model/site.ts'
import { type Gallery as GalleryState, retryGallery } from '../../model/images/gallery.ts'
import { gallery } from '../../texts/gallery-messages.ts'
import { common } from '../../texts/messages.ts'
import { EmptyList } from '../../ui/list-panel/empty-list.tsx'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { useLayout } from './use-layout.ts'

/** Three rows of placeholders in the layout of images. */
export function Skeleton() {
  const box = useRef<HTMLDivElement>(null)
  const { left, width, rowFirst, rowTop, rowHeight } = useLayout(box, skeletonRatios, 'grid')
  const rows = [...rowTop].slice(0, skeletonRows)
  return (
    <div ref={box} className="tiles">
      <p className="sr-only" role="status">
        {common.loading}
      </p>
      {rows.flatMap((top, row) =>
        [...left.keys()]
          .slice(rowFirst[row], rowFirst[row + 1])
          .map((at) => (
            <span
              key={at}
              className="skeleton absolute rounded-tile"
              aria-hidden
              style={{ left: left[at], top, width: width[at], height: rowHeight[row] }}
            />
          )),
      )}
    </div>
  )
}
const skeletonRows = 3
/** Enough for three rows of the widest window. */
const skeletonRatios = Array.from({ length: 60 }, (_, at) => [150, 133, 75, 100, 178, 150, 67][at % 7] ?? 100)

export function Empty() {
  return (
    <div className="first-lines">
      <p className="font-semibold text-text">{gallery.empty}</p>
      {gallery.firstLines(uploadLimits.user).map((line) => (
        <p key={line}>{line}</p>
      ))}
    </div>
  )
}

export function NothingMatches({ onClear }: { onClear: () => void }) {
  return (
    <EmptyList icon={SearchX} title={gallery.noMatch}>
      <button type="button" className="btn btn-quiet mt-4" onClick={onClear}>
        {gallery.clearFilters}
      </button>
    </EmptyList>
  )
}

/** Under images that are shown already it is a bar that sticks to the end of the window. */
export function Failed({ title, gallery: { items, failure } }: { title: string; gallery: GalleryState }) {
  const hasImages = items.length > 0
  const panel = <LoadFailure title={title} {...troubleOf(failure)} onRetry={retryGallery} isBar={hasImages} />
  return hasImages ? <div className="gallery-bar">{panel}</div> : panel
}
