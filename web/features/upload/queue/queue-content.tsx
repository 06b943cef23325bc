// The content of a queue: how far it is, its files, and what can be done with all of them.
import { Clock, WifiOff } from 'lucide-react'
import type { ReactNode } from 'react'
import type { UploadedImage } from '../../../../contract/endpoints/images.ts'
import { formatBytes } from '../../../../contract/plain/format-bytes.ts'
import { useOnline } from '../../../model/online.ts'
import type { Figures } from '../engine/upload-progress.ts'
import type { StoredQueue } from '../engine/stored-queue.ts'
import { canRetry, idsOf, isUnderWay, type UploadItem, type UploadWait } from '../engine/upload-state.ts'
import { common } from '../../../texts/messages.ts'
import { uploadQueue } from '../../../texts/upload-messages.ts'
import { LiveText } from '../../../ui/live-text.tsx'
import { Progress } from '../progress.tsx'
import { savingLine } from '../size-saved-text.ts'
import { durationText } from '../time-left-text.ts'
import { continuesText, waitText } from '../wait-and-failure-texts.ts'
import { TrashNote } from '../trash-note.tsx'
import type { UploadClock } from '../use-upload-clock.ts'
import { RetryNow } from '../wait-line.tsx'
import { UploadQueueRow } from './queue-row.tsx'
import type { QueueStatus } from './use-queue-status.ts'
import '../upload.css'

/** At most this many rows are rendered; those under way come first. */
const maxRows = 50

interface Props {
  status: QueueStatus
  /** What can be chosen about the whole batch. */
  choices?: ReactNode
  /** The button at the end of the headline. */
  button?: ReactNode
  /** Renders what can be done with the uploaded images, once none is under way, and with one of them in its row. */
  results: (images: readonly UploadedImage[], isRow: boolean) => ReactNode
}

export function QueueContent({ status, choices, button, results }: Props) {
  const { queue, items, wait, clock, figures, percent } = status
  const isActive = figures.underWay > 0
  const images = items.map(({ image }) => image).filter((image) => image !== undefined)
  return (
    <>
      <div className="flex items-center gap-2 py-1 pr-1 pl-3.5">
        <div className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-2 py-2">
          <h2 className="font-semibold">{headline(figures)}</h2>
          <p className="text-meta text-text-2 tabular-nums">
            {isActive
              ? leftText(figures.bytesLeft, clock)
              : figures.saved !== undefined && figures.done > 1 && savingLine(figures.saved)}
          </p>
        </div>
        {button}
      </div>
      {isActive && (
        <div className="mx-3.5 mb-2">
          <Progress percent={percent} label={uploadQueue.label} />
        </div>
      )}
      {isActive && <WaitNote wait={wait} onRetry={queue.wake} />}
      <div className="px-3.5 pb-2.5 empty:hidden">
        <LeftOut items={items} />
        <TrashNote items={items} />
      </div>
      {choices}
      <Rows queue={queue} items={items} now={clock.now} results={results} />
      <AllButtons queue={queue} items={items} />
      {!isActive && images.length > 0 && results(images, false)}
    </>
  )
}

export const headline = ({ underWay, done, total }: Figures) =>
  underWay > 0 ? uploadQueue.uploading(total - underWay + 1, total) : uploadQueue.finished(done, total)

function leftText(bytesLeft: number, { bytesPerMs, etaMs }: UploadClock): string {
  const time = durationText(etaMs)
  const size = formatBytes(bytesLeft)
  return bytesPerMs === undefined || time === undefined
    ? uploadQueue.left(size)
    : uploadQueue.leftAt(size, formatBytes(bytesPerMs * 1000), time)
}

function WaitNote({ wait, onRetry }: { wait: UploadWait | undefined; onRetry: () => void }) {
  const isOnline = useOnline()
  if (isOnline && wait === undefined) return null
  const isCut = !isOnline || wait?.reason === 'connection'
  const Icon = isCut ? WifiOff : Clock
  return (
    <div className="mx-3.5 mb-2 flex gap-2 rounded-tile bg-warning-soft px-2.5 py-2 text-meta text-warning-text">
      <Icon className="size-4 shrink-0" aria-hidden />
      <p className="min-w-0 flex-1">
        {isOnline && wait !== undefined ? `${waitText(wait)}. ${continuesText(wait)}` : common.offline}
      </p>
      {wait !== undefined && <RetryNow wait={wait} onRetry={onRetry} />}
    </div>
  )
}

interface RowsProps {
  queue: StoredQueue
  items: readonly UploadItem[]
  now: number
  results: Props['results']
}

function Rows({ queue, items, now, results }: RowsProps) {
  const sent = items.filter(({ stage }) => stage !== 'refused')
  const shown = sent.length > maxRows ? sent.toSorted((a, b) => rank[a.stage] - rank[b.stage]).slice(0, maxRows) : sent
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable list must be reachable by keyboard
    <ul className="tray-rows" tabIndex={0} aria-label={uploadQueue.label}>
      {shown.map((item) => (
        <UploadQueueRow key={item.id} queue={queue} item={item} now={isUnderWay(item) ? now : 0}>
          {item.image && results([item.image], true)}
        </UploadQueueRow>
      ))}
      {sent.length > shown.length && (
        <li className="py-2 text-meta text-text-2">{uploadQueue.more(sent.length - shown.length)}</li>
      )}
    </ul>
  )
}

const rank = { sending: 0, converting: 1, reading: 1, ready: 2, failed: 3, refused: 3, waiting: 4, done: 5 }

function AllButtons({ queue, items }: { queue: StoredQueue; items: readonly UploadItem[] }) {
  const retryable = items.filter(canRetry)
  const active = items.filter(isUnderWay)
  if (active.length < 2 && retryable.length < 2) return null
  return (
    <div className="flex justify-end gap-2 border-t border-border px-2 py-1.5">
      {retryable.length > 1 && (
        <button type="button" className="btn btn-ghost btn-sm" onClick={() => queue.retry(idsOf(retryable))}>
          {uploadQueue.retryAll}
        </button>
      )}
      {active.length > 1 && (
        <button type="button" className="btn btn-ghost btn-sm" onClick={() => queue.cancel(idsOf(active))}>
          {uploadQueue.cancelAll}
        </button>
      )}
    </div>
  )
}

const maxNames = 3

/** Names the files that a batch has left out, with the reason, one line for each. */
function LeftOut({ items }: { items: readonly UploadItem[] }) {
  const refused = items.filter(({ stage }) => stage === 'refused')
  const reasons = [...new Set(refused.map(({ problem }) => problem?.text ?? ''))]
  return reasons.map((reason) => (
    <LiveText key={reason} className="text-meta wrap-anywhere text-text-2">
      {uploadQueue.leftOut(namesOf(refused.filter(({ problem }) => problem?.text === reason)), reason)}
    </LiveText>
  ))
}

function namesOf(items: readonly UploadItem[]): string {
  const names = items.slice(0, maxNames).map(({ file }) => file.name)
  const others = items.length - names.length
  return listFormat.format(others === 0 ? names : [...names, uploadQueue.others(others)])
}

const listFormat = new Intl.ListFormat('en-US')
