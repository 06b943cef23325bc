// A queue on screen, on every page: a card at the lower right, or a pill when shrunk.
import { ChevronDown, ChevronUp, X } from 'lucide-react'
import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react'
import { flushSync } from 'react-dom'
import type { UploadedImage } from '../../../../contract/endpoints/images.ts'
import { common } from '../../../texts/messages.ts'
import { uploadQueue } from '../../../texts/upload-messages.ts'
import { focusMain } from '../../../ui/focus-main.ts'
import type { StoredQueue } from '../engine/stored-queue.ts'
import { Progress } from '../progress.tsx'
import { headline, QueueContent } from './queue-content.tsx'
import { type QueueStatus, useQueueStatus } from './use-queue-status.ts'

interface Props {
  queue: StoredQueue
  /** Stands at the left: another card is at the right. */
  isAside?: boolean
  /** What can be chosen about the whole batch. */
  choices?: ReactNode
  /** Renders what can be done with the uploaded images, and with one of them in its row. */
  children: (images: readonly UploadedImage[], isRow: boolean) => ReactNode
}

/** A queue on every page. Nothing while it is empty. */
export function QueueCard({ queue, isAside = false, choices, children }: Props) {
  const status = useQueueStatus(queue)
  return (
    <>
      <p className="sr-only" aria-live="polite">
        {status.announcement}
      </p>
      {status.items.length > 0 && <Card status={status} isAside={isAside} choices={choices} results={children} />}
    </>
  )
}

interface CardProps extends Pick<Props, 'choices'> {
  status: QueueStatus
  isAside: boolean
  results: Props['children']
}

function Card({ status, isAside, choices, results }: CardProps) {
  const { queue, figures, percent } = status
  const isActive = figures.underWay > 0
  // On a phone, and beside what the user does, it starts shrunk.
  const [isShrunk, setShrunk] = useState(() => isAside || matchMedia('(max-width: 719.98px)').matches)
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
      if (document.activeElement === document.body) focusMain()
    },
    [],
  )

  return (
    <>
      {isShrunk && isActive && (
        <div className="tray-line" aria-hidden>
          <div className="progress-fill" style={{ width: `${percent}%` }} />
        </div>
      )}
      <section
        ref={section}
        className="tray"
        aria-label={uploadQueue.label}
        data-shrunk={isShrunk}
        data-aside={isAside || undefined}
      >
        {isShrunk ? (
          <Pill figures={figures} percent={percent} onShow={() => shrink(false)} />
        ) : (
          <QueueContent
            status={status}
            choices={choices}
            results={results}
            button={
              <button type="button" className="btn-icon" onClick={isActive ? () => shrink(true) : queue.clear}>
                {isActive ? <ChevronDown className="size-5" aria-hidden /> : <X className="size-5" aria-hidden />}
                <span className="sr-only">{isActive ? uploadQueue.shrink : common.close}</span>
              </button>
            }
          />
        )}
      </section>
    </>
  )
}

function Pill({ figures, percent, onShow }: Pick<QueueStatus, 'figures' | 'percent'> & { onShow: () => void }) {
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
      {figures.failed > 0 && (
        <span className="grid h-5 min-w-5 place-items-center rounded-full bg-danger px-1.5 text-caption font-semibold text-on-accent">
          <span aria-hidden>{figures.failed}</span>
          <span className="sr-only">{uploadQueue.problems(figures.failed)}</span>
        </span>
      )}
      <ChevronUp className="ml-auto size-5 shrink-0 text-text-2" aria-hidden />
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
