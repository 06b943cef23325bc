// The states of the gallery without images: loading, empty, no match, failed.
import { SearchX } from 'lucide-react'
import { useRef, type ReactNode } from 'react'
import { troubleOf } from '../../model/api-error.ts'
import { uploadLimits } from '../../model/site.ts'
import { type Gallery as GalleryState, retryGallery } from '../../model/images/gallery.ts'
import { gallery } from '../../texts/gallery-messages.ts'
import { common } from '../../texts/messages.ts'
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
    <Notice icon={<SearchX className="size-10 text-text-3" strokeWidth={1.5} aria-hidden />}>
      <p className="text-text-2">{gallery.noMatch}</p>
      <button type="button" className="btn btn-quiet" onClick={onClear}>
        {gallery.clearFilters}
      </button>
    </Notice>
  )
}

/** Under images that are shown already it is a bar that sticks to the end of the window. */
export function Failed({ title, gallery: { items, failure } }: { title: string; gallery: GalleryState }) {
  const hasImages = items.length > 0
  const panel = <LoadFailure title={title} {...troubleOf(failure)} onRetry={retryGallery} isBar={hasImages} />
  return hasImages ? <div className="gallery-bar">{panel}</div> : panel
}

function Notice({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <div className="card grid min-h-72 place-content-center justify-items-center gap-4 p-8 text-center">
      {icon}
      {children}
    </div>
  )
}
