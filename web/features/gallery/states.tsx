// The states of the gallery without images: loading, empty, no match, failed.
import { Images, SearchX, TriangleAlert } from 'lucide-react'
import { useRef, type ReactNode } from 'react'
import { retryGallery } from '../../data/gallery.ts'
import { gallery } from '../../texts/gallery-messages.ts'
import { common } from '../../texts/messages.ts'
import { useLayout } from './use-layout.ts'

/** Three rows of placeholders in the layout of images. */
export function Skeleton() {
  const box = useRef<HTMLDivElement>(null)
  const { left, width, rowFirst, rowTop, rowHeight } = useLayout(box, skeletonRatios, 'grid')
  const rows = [...rowTop].slice(0, skeletonRows)
  return (
    <div ref={box} className="tiles" aria-hidden>
      {rows.flatMap((top, row) =>
        [...left.keys()]
          .slice(rowFirst[row], rowFirst[row + 1])
          .map((at) => (
            <span
              key={at}
              className="skeleton absolute rounded-tile"
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
    <Notice
      icon={
        <span className="grid size-14 place-items-center rounded-full bg-accent-soft">
          <Images className="size-6.5 text-accent-text" aria-hidden />
        </span>
      }
    >
      <p className="text-balance text-text-2">{gallery.empty}</p>
    </Notice>
  )
}

export function NothingMatches({ onClear }: { onClear: () => void }) {
  return (
    <Notice icon={<SearchX className="size-10 text-text-3" strokeWidth={1.5} aria-hidden />}>
      <p className="text-text-2" role="status">
        {gallery.noMatch}
      </p>
      <button type="button" className="btn btn-quiet" onClick={onClear}>
        {gallery.clearFilters}
      </button>
    </Notice>
  )
}

/** @param isInline images are already shown */
export function Failed({ isInline }: { isInline: boolean }) {
  if (isInline) return <Bar text={gallery.fetchFailed} />
  return (
    <Notice icon={<TriangleAlert className="size-10 text-danger-text" strokeWidth={1.5} aria-hidden />}>
      <p role="alert" className="font-medium">
        {gallery.fetchFailed}
      </p>
      <TryAgain />
    </Notice>
  )
}

export const PageMissing = () => <Bar text={gallery.pageMissing} />

function Notice({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <div className="card grid min-h-72 place-content-center justify-items-center gap-4 p-8 text-center">
      {icon}
      {children}
    </div>
  )
}

/** Sticks to the end of the window. */
function Bar({ text }: { text: string }) {
  return (
    <div className="gallery-bar" role="alert">
      <TriangleAlert className="size-5 shrink-0 text-danger-text" aria-hidden />
      <p className="font-medium">{text}</p>
      <TryAgain />
    </div>
  )
}

function TryAgain() {
  return (
    <button type="button" className="btn btn-quiet" onClick={() => void retryGallery()}>
      {common.tryAgain}
    </button>
  )
}
