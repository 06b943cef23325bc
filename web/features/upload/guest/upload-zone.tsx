// The drop zone of guests: the limits, an image during its upload, the result by `children`. Several files are for
// guest-batch.tsx.
import { clsx } from 'clsx'
import { useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { whenOnline } from '../../../model/online.ts'
import { boundary } from '../../../texts/messages.ts'
import { onDemand } from '../../../ui/on-demand.tsx'
import { takeGivenElsewhere } from './files-for-landing.ts'
import type { ShownUploads } from './shown-uploads.ts'
import type * as StoredSingle from '../engine/stored-single.ts'
import { readGuestBatch, readGuestUpload, writeGuestUpload } from '../engine/guest-batch-mark.ts'
import { notify } from '../../../ui/toast/toast.ts'
import { refusalOf } from '../drop/accepted-files.ts'
import { useDrop, type Dropped } from '../drop/use-drop.ts'
import { usePaste } from '../drop/use-paste.ts'
import { UploadTarget } from '../upload-target.tsx'
import { type SingleUploadRole, useSingleUpload } from '../use-single-upload.ts'
import { guestRules, TimeLeft, ZoneDragged, ZoneLoading, ZoneSingle } from './zone-content.tsx'

interface Props extends Required<Pick<SingleUploadRole, 'onStart' | 'onUploaded'>> {
  isDisabled?: boolean
  /** Called when an upload starts and when it has ended. */
  onBusy: (isBusy: boolean) => void
  children: (shown: ShownUploads) => ReactNode
}

export function UploadZone({ isDisabled = false, onStart, onUploaded, onBusy, children }: Props) {
  // A guest's file is sent unchanged.
  const single = useSingleUpload(() => ({
    toasts: notify,
    onStart: () => Promise.all([onStart(), TimeLeft.load()]),
    onUploaded,
    commit: withViewTransition,
    ...kept,
  }))
  const { item, isBusy, start, reset } = single
  const batch = useBatch(onStart)
  useEarlierUpload((id, file) => isBusy || single.resume(id, file), batch.resume)
  const isEnabled = !isDisabled && !isBusy
  const drag = useDrop({ rules: guestRules, isEnabled, onDrop: takeDropped })
  usePaste(isEnabled, take)
  const takeLeft = useEffectEvent(() => {
    const left = takeGivenElsewhere()
    if (left.length > 0) take(left)
  })
  useEffect(() => takeLeft(), [])
  useEffect(() => onBusy(isBusy || batch.isBusy), [onBusy, isBusy, batch.isBusy])

  function take(files: readonly File[]): void {
    takeDropped({ files, entries: [] })
  }

  function takeDropped(dropped: Dropped): void {
    const { files, entries } = dropped
    if (files.length > 1 || batch.isBusy || entries.some(({ isDirectory }) => isDirectory)) {
      reset()
      batch.set(dropped)
    } else if (files[0] !== undefined) takeOne(files[0])
  }

  function takeOne(file: File): void {
    batch.set(undefined)
    const refusal = refusalOf(file, guestRules)
    if (refusal === undefined) start(file)
    else notify.error(refusal)
  }

  return (
    <UploadTarget
      className={clsx('zone', drag.isOver && (drag.refusal === undefined ? 'zone-active' : 'zone-refused'))}
      drag={drag}
      state={batch.given ? 'batch' : isBusy ? 'busy' : (item?.stage ?? 'idle')}
      isBusy={isBusy}
      isDisabled={isDisabled}
    >
      {batch.given && batch.isLoaded && (
        <div hidden={drag.isOver}>
          <GuestBatch
            given={batch.given}
            onBusy={batch.setBusy}
            onSingle={takeOne}
            onEnd={() => batch.set(undefined)}
            results={children}
          />
        </div>
      )}
      {drag.isOver ? (
        <ZoneDragged drag={drag} />
      ) : batch.given ? (
        !batch.isLoaded && <ZoneLoading />
      ) : (
        <ZoneSingle single={single} isDisabled={isDisabled} onFiles={take} results={children} />
      )}
    </UploadTarget>
  )
}

/** The files of a batch; the one of an earlier visit, or of this one before another page was opened, goes on. */
function useBatch(onStart: Props['onStart']) {
  const [given, set] = useState<Dropped>()
  const [isBusy, setBusy] = useState(false)
  const isLoaded = useLoadedBatch(given !== undefined, onStart, () => {
    notify.error(boundary.notLoaded)
    set(undefined)
  })
  const resume = () => set({ files: [], entries: [] })
  const resumeOnce = useEffectEvent(resume)
  useEffect(() => {
    if (readGuestBatch() !== null) resumeOnce()
  }, [])
  return { given, set, isBusy, setBusy, isLoaded, resume }
}

let stored: Promise<typeof StoredSingle> | undefined
/** Not without a connection: a script that failed to load, and those it needs, are not loaded again. */
const loadStored = () => (stored ??= whenOnline().then(() => import('../engine/stored-single.ts')))
const notStored = (error: unknown) => console.info('The upload will not survive a reload', error)

/** A single upload outlives a reload in the browser's storage, and this page in the queue. */
const kept: Required<Pick<SingleUploadRole, 'onStored' | 'onOver' | 'onLeft'>> = {
  onStored(item) {
    writeGuestUpload(item.id)
    loadStored()
      .then(({ storeGuestSingle }) => storeGuestSingle(item))
      .catch(notStored)
  },
  onOver({ id }) {
    loadStored()
      .then(({ forgetGuestSingle }) => forgetGuestSingle(id))
      .catch(notStored)
  },
  onLeft(items) {
    import('../engine/guest-queue.ts').then(({ takeGuestUploads }) => takeGuestUploads(items)).catch(notStored)
  },
}

/** One that an earlier visit has left goes on as it began; several are a batch. */
function useEarlierUpload(resume: (id: string, file: File) => unknown, resumeBatch: () => void): void {
  const goOn = useEffectEvent((left: readonly { id: string; file: File }[]) => {
    const [first] = left
    if (left.length > 1) resumeBatch()
    else if (first !== undefined) resume(first.id, first.file)
  })
  useEffect(() => {
    // A batch of an earlier visit takes it along.
    if (readGuestUpload() === null || readGuestBatch() !== null) return
    loadStored()
      .then(({ restoreGuestSingles }) => restoreGuestSingles())
      .then((left) => goOn(left))
      .catch(notStored)
  }, [])
}

const GuestBatch = onDemand(async () => (await import('./guest-batch.tsx')).GuestBatch)

/** Loads what shows several files and their result; a failed script is not loaded twice, so not without a connection. */
function useLoadedBatch(isWanted: boolean, onStart: Props['onStart'], onFailed: () => void): boolean {
  const [isLoaded, setLoaded] = useState(false)
  const load = useEffectEvent(() => {
    if (navigator.onLine) void Promise.all([GuestBatch.load(), onStart()]).then(() => setLoaded(true), onFailed)
  })
  useEffect(() => {
    if (!isWanted) return
    const listener = () => load()
    listener()
    addEventListener('online', listener)
    return () => removeEventListener('online', listener)
  }, [isWanted])
  return isWanted && isLoaded
}

/** The image moves to its new place where the browser supports it and the user accepts motion. */
function withViewTransition(update: () => void): void {
  const isReduced = matchMedia('(prefers-reduced-motion: reduce)').matches
  if (isReduced || document.hidden || !('startViewTransition' in document)) return update()
  document.startViewTransition(() => flushSync(update))
}
