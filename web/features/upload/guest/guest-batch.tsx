// Several files of a guest in the drop zone: one queue, one progress, and what can be done with all of them.
import { Files } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState, type MouseEvent, type ReactNode } from 'react'
import { useGuestImages } from '../../../model/images/guest-images.ts'
import { uploadLimits } from '../../../model/site.ts'
import { dropZone, upload } from '../../../texts/messages.ts'
import { result } from '../../../texts/gallery-messages.ts'
import { area, tooMany } from '../../../texts/upload-messages.ts'
import { notify } from '../../../ui/toast/toast.ts'
import { filesOf, uploadsOf } from '../drop/dropped-files.ts'
import { rulesOf } from '../drop/accepted-files.ts'
import type { Dropped } from '../drop/use-drop.ts'
import { enqueueGuestFiles, guestQueue, restoreGuestBatch } from '../engine/guest-queue.ts'
import type { NewUpload } from '../engine/upload-engine.ts'
import { isUnderWay } from '../engine/upload-state.ts'
import { QueueContent } from '../queue/queue-content.tsx'
import { useQueueStatus } from '../queue/use-queue-status.ts'
import type { ShownUploads } from './shown-uploads.ts'
import './guest-batch.css'

interface Props {
  /** Without files, the batch of an earlier visit goes on. */
  given: Dropped
  onBusy: (isBusy: boolean) => void
  /** A folder had this one file in it. */
  onSingle: (file: File) => void
  /** Called when nothing is left to show. */
  onEnd: () => void
  results: (shown: ShownUploads) => ReactNode
}

export function GuestBatch({ given, onBusy, onSingle, onEnd, results }: Props) {
  const status = useQueueStatus(guestQueue)
  /** More than the limit allows, without those that are refused anyway. */
  const [excess, setExcess] = useState<readonly NewUpload[]>()
  const isActive = status.figures.underWay > 0
  useEffect(() => onBusy(isActive), [onBusy, isActive])
  useWithoutDeleted()

  const take = useEffectEvent((files: readonly File[]) => {
    const [file] = files
    const isAdded = guestQueue.store.get().some(isUnderWay)
    if (file !== undefined && files.length === 1 && !isAdded) return onSingle(file)
    const uploads = uploadsOf(files, rules)
    if (acceptedOf(uploads) > maxFiles) return setExcess(uploads)
    if (uploads.length > 0) enqueueGuestFiles(uploads)
    endIfEmpty()
  })

  function endIfEmpty(): void {
    if (guestQueue.store.get().length === 0) onEnd()
  }

  const emptied = useEffectEvent(endIfEmpty)

  // After a change: the last upload of the list was cancelled or removed.
  const isEmpty = status.items.length === 0
  useEffect(() => {
    if (isEmpty) return
    return () => emptied()
  }, [isEmpty])

  useEffect(() => {
    const read = async () => {
      setExcess(undefined)
      if (given.files.length === 0) await restoreGuestBatch()
      const files = await filesOf(given)
      if (files.length === 0 && given.files.length > 0) notify.error(area.nothingThere)
      take(files)
    }
    read().catch((error: unknown) => {
      notify.failure(upload.dataFailed, error)
      emptied()
    })
  }, [given])

  function takeFirst(): void {
    let left = maxFiles
    enqueueGuestFiles((excess ?? []).filter(({ refusal }) => refusal !== undefined || left-- > 0))
    setExcess(undefined)
  }

  function close(): void {
    guestQueue.clear()
    onEnd()
  }

  if (excess !== undefined) {
    const discard = () => {
      setExcess(undefined)
      endIfEmpty()
    }
    return <TooMany count={acceptedOf(excess)} onTake={takeFirst} onDiscard={discard} />
  }
  return (
    <div className="grid text-left">
      <p className="sr-only" aria-live="polite">
        {status.announcement}
      </p>
      {status.items.length > 0 && (
        <QueueContent status={status} results={(images, isRow) => results({ images, onAgain: close, isRow })} />
      )}
      {!isActive && status.figures.failed > 0 && status.figures.done === 0 && (
        <button type="button" className="btn btn-ghost justify-self-end px-3 text-accent-text" onClick={close}>
          {result.more}
        </button>
      )}
    </div>
  )
}

/** An image that is deleted in the list of recent uploads leaves the queue. */
function useWithoutDeleted(): void {
  const images = useGuestImages()
  const before = useRef(images)
  useEffect(() => {
    const listed = new Set(images.map(({ id }) => id))
    const gone = new Set(before.current.map(({ id }) => id).filter((id) => !listed.has(id)))
    before.current = images
    const items = guestQueue.store.get().filter(({ image }) => image !== undefined && gone.has(image.id))
    if (items.length > 0) guestQueue.cancel(new Set(items.map(({ id }) => id)))
  }, [images])
}

const rules = rulesOf('guest')
const { maxFiles } = uploadLimits.guest
const acceptedOf = (uploads: readonly NewUpload[]) => uploads.filter(({ refusal }) => refusal === undefined).length

interface TooManyProps {
  count: number
  onTake: () => void
  onDiscard: () => void
}

/** The pressed button is about to disappear: the focus moves to the zone. */
function act({ currentTarget }: MouseEvent<HTMLButtonElement>, action: () => void): void {
  currentTarget.closest<HTMLElement>('[role=group]')?.focus({ preventScroll: true })
  action()
}

function TooMany({ count, onTake, onDiscard }: TooManyProps) {
  return (
    <div className="zone-inner">
      <div className="grid justify-items-center" role="status">
        <span className="grid size-17 place-items-center rounded-card bg-accent-soft text-accent-text">
          <Files className="size-8" aria-hidden />
        </span>
        <h2 className="mt-5 text-h3">{tooMany.title}</h2>
        <p className="mt-1 mb-5 text-dense text-balance text-text-2">{tooMany.text(maxFiles, count)}</p>
        <div className="flex flex-wrap justify-center gap-3">
          <button type="button" className="btn btn-primary" onClick={(event) => act(event, onTake)}>
            {tooMany.take(maxFiles)}
          </button>
          <button type="button" className="btn btn-quiet" onClick={(event) => act(event, onDiscard)}>
            {dropZone.discard}
          </button>
        </div>
      </div>
    </div>
  )
}
