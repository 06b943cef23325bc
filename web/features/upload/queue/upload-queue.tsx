// The queue on screen, on every page: a card at the lower right, or a pill when shrunk.
import { ChevronDown, ChevronUp, Clock, WifiOff, X } from 'lucide-react'
import { useEffect, useRef, useState, type RefObject } from 'react'
import { flushSync } from 'react-dom'
import { useOnline } from '../../../model/online.ts'
import { figuresOf, type Figures } from '../engine/upload-progress.ts'
import { cancelUploads, clearUploads, restoreUploads, retryUploads, useUploads } from '../engine/upload-queue.ts'
import { canRetry, idsOf, isUnderWay, type UploadItem, type UploadWait, waitOf } from '../engine/upload-state.ts'
import { formatBytes } from '../../../../contract/plain/format-bytes.ts'
import { common } from '../../../texts/messages.ts'
import { uploadQueue } from '../../../texts/upload-messages.ts'
import { Progress } from '../progress.tsx'
import { savingLine } from '../saving.ts'
import { durationText, waitText } from '../upload-texts.ts'
import { type UploadClock, useUploadClock } from '../use-upload-clock.ts'
import { useAskBeforeLeaving, useTitlePercent } from '../window-effects.ts'
import { UploadQueueRow } from './queue-row.tsx'
import { useAnnouncement } from './use-announcement.ts'

/** At most this many rows are rendered; those under way come first. */
const maxRows = 50

interface Status {
  items: readonly UploadItem[]
  wait: UploadWait | undefined
  clock: UploadClock
  figures: Figures
  percent: number
}

export function UploadQueue({ userId }: { userId: string }) {
  useEffect(() => void restoreUploads(userId), [userId])
  const items = useUploads()
  const isActive = items.some(isUnderWay)
  const wait = waitOf(items)
  const clock = useUploadClock(isActive && wait === undefined, (now) => figuresOf(items, now))
  const figures = figuresOf(items, clock.now)
  const percent = Math.floor(figures.percent)
  const announcement = useAnnouncement(figures)
  useAskBeforeLeaving(isActive)
  useTitlePercent(isActive ? percent : undefined)

  return (
    <>
      <p className="sr-only" aria-live="polite">
        {wait === undefined ? announcement : waitText(wait)}
      </p>
      {items.length > 0 && <Card {...{ items, wait, clock, figures, percent }} />}
    </>
  )
}

function Card(status: Status) {
  const { figures, percent } = status
  // On a phone it starts shrunk.
  const [isShrunk, setShrunk] = useState(() => matchMedia('(max-width: 719.98px)').matches)
  const section = useRef<HTMLElement>(null)
  useSpaceBelow(section)

  function shrink(isOn: boolean): void {
    flushSync(() => setShrunk(isOn))
    // The focus moves to the button that replaces the pressed one.
    section.current?.querySelector('button')?.focus()
  }

  // The focused element may disappear with the queue.
  useEffect(
    () => () => {
      if (document.activeElement === document.body) document.getElementById('main')?.focus({ preventScroll: true })
    },
    [],
  )

  return (
    <>
      {isShrunk && figures.underWay > 0 && (
        <div className="tray-line" aria-hidden>
          <div className="progress-fill" style={{ width: `${percent}%` }} />
        </div>
      )}
      <section ref={section} className="tray" aria-label={uploadQueue.label} data-shrunk={isShrunk}>
        {isShrunk ? (
          <Pill figures={figures} percent={percent} onShow={() => shrink(false)} />
        ) : (
          <Open {...status} onShrink={() => shrink(true)} />
        )}
      </section>
    </>
  )
}

function Open({ items, wait, clock, figures, onShrink }: Status & { onShrink: () => void }) {
  const isActive = figures.underWay > 0
  const retryable = items.filter(canRetry)
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
        <button type="button" className="btn-icon" onClick={isActive ? onShrink : clearUploads}>
          {isActive ? <ChevronDown className="size-5" aria-hidden /> : <X className="size-5" aria-hidden />}
          <span className="sr-only">{isActive ? uploadQueue.shrink : common.close}</span>
        </button>
      </div>
      {isActive && <WaitNote wait={wait} />}
      <Rows items={items} now={clock.now} />
      {(figures.underWay > 1 || retryable.length > 1) && (
        <div className="flex justify-end gap-2 border-t border-border px-2 py-1.5">
          {retryable.length > 1 && (
            <button type="button" className="btn btn-ghost btn-sm" onClick={() => retryUploads(idsOf(retryable))}>
              {uploadQueue.retryAll}
            </button>
          )}
          {figures.underWay > 1 && (
            <button
              type="button"
              className="btn btn-ghost btn-sm"
              onClick={() => cancelUploads(idsOf(items.filter(isUnderWay)))}
            >
              {uploadQueue.cancelAll}
            </button>
          )}
        </div>
      )}
    </>
  )
}

function Rows({ items, now }: { items: readonly UploadItem[]; now: number }) {
  const shown =
    items.length > maxRows ? items.toSorted((a, b) => rank[a.stage] - rank[b.stage]).slice(0, maxRows) : items
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable list must be reachable by keyboard
    <ul className="tray-rows" tabIndex={0} aria-label={uploadQueue.label}>
      {shown.map((item) => (
        <UploadQueueRow key={item.id} item={item} now={isUnderWay(item) ? now : 0} />
      ))}
      {items.length > shown.length && (
        <li className="py-2 text-meta text-text-2">{uploadQueue.more(items.length - shown.length)}</li>
      )}
    </ul>
  )
}

const rank = { sending: 0, converting: 1, reading: 1, ready: 2, failed: 3, refused: 3, waiting: 4, done: 5 }

function leftText(bytesLeft: number, { bytesPerMs, etaMs }: UploadClock): string {
  const time = durationText(etaMs)
  const size = formatBytes(bytesLeft)
  return bytesPerMs === undefined || time === undefined
    ? uploadQueue.left(size)
    : uploadQueue.leftAt(size, formatBytes(bytesPerMs * 1000), time)
}

function WaitNote({ wait }: { wait: UploadWait | undefined }) {
  const isOnline = useOnline()
  if (isOnline && wait === undefined) return null
  const Icon = !isOnline || wait?.reason === 'connection' ? WifiOff : Clock
  return (
    <p className="mx-3.5 mb-2 flex gap-2 rounded-tile bg-warning-soft px-2.5 py-2 text-meta text-warning-text">
      <Icon className="size-4 shrink-0" aria-hidden />
      {isOnline && wait !== undefined ? waitText(wait) : common.offline}
    </p>
  )
}

const headline = ({ underWay, done, bad, total }: Figures) =>
  underWay > 0
    ? uploadQueue.uploading(total - underWay + 1, total)
    : uploadQueue.finished(done, Math.max(total, done + bad))

function Pill({ figures, percent, onShow }: Pick<Status, 'figures' | 'percent'> & { onShow: () => void }) {
  const isActive = figures.underWay > 0
  return (
    <button type="button" className="flex min-h-11 w-full items-center gap-3 px-4 py-2" onClick={onShow}>
      <span className="text-dense font-semibold whitespace-nowrap tabular-nums">
        {isActive ? uploadQueue.remaining(figures.underWay) : headline(figures)}
      </span>
      {isActive && (
        <span className="min-w-16 flex-1">
          <Progress percent={percent} label={uploadQueue.label} />
        </span>
      )}
      {figures.bad > 0 && (
        <span className="grid h-5 min-w-5 place-items-center rounded-full bg-danger px-1.5 text-caption font-semibold text-on-accent">
          <span aria-hidden>{figures.bad}</span>
          <span className="sr-only">{uploadQueue.problems(figures.bad)}</span>
        </span>
      )}
      <ChevronUp className="size-5 shrink-0 text-text-2" aria-hidden />
      <span className="sr-only">{uploadQueue.show}</span>
    </button>
  )
}

/** Reserves the height of the element below the page, so that it never covers the page's end. */
function useSpaceBelow(element: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const { current } = element
    if (current === null) return
    const { style } = document.documentElement
    const observer = new ResizeObserver(() => style.setProperty('--tray-room', `${current.offsetHeight + 24}px`))
    observer.observe(current)
    return () => {
      observer.disconnect()
      style.removeProperty('--tray-room')
    }
  }, [element])
}
