// The drop zone of guests: the limits, an image during its upload, the result by `children`. Several files are for
// guest-batch.tsx.
import { clsx } from 'clsx'
import { CircleAlert, CloudUpload } from 'lucide-react'
import { useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { formatBytes } from '../../../../contract/plain/format-bytes.ts'
import { canRetry, type UploadItem, waitOf } from '../engine/upload-state.ts'
import { boundary, common, dropZone, upload } from '../../../texts/messages.ts'
import { useClientValue } from '../../../ui/client-value.ts'
import { onDemand } from '../../../ui/on-demand.tsx'
import { takeGivenElsewhere } from './given-elsewhere.ts'
import type { ShownUploads } from './shown-uploads.ts'
import { readGuestBatch, readGuestUpload, writeGuestUpload } from '../engine/guest-batch.ts'
import { notify } from '../../../ui/toast/toast.ts'
import { FileButton } from '../drop/file-button.tsx'
import { acceptedTypes, refusalOf, rulesOf } from '../drop/rules.ts'
import { useDrop, type Drag, type Dropped } from '../drop/use-drop.ts'
import { usePaste } from '../drop/use-paste.ts'
import { Progress } from '../progress.tsx'
import { useObjectUrl } from '../../../ui/use-object-url.ts'
import { UploadTarget } from '../upload-target.tsx'
import { failureText, waitText } from '../upload-texts.ts'
import { type SingleUploadRole, useSingleUpload } from '../use-single-upload.ts'
import { WaitLine } from '../wait-line.tsx'

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
    onStart: () => Promise.all([onStart(), UploadPace.load()]),
    onUploaded,
    commit: withViewTransition,
    ...kept,
  }))
  const { item, isBusy, start, reset } = single
  const batch = useBatch(onStart)
  useEarlierUpload((id, file) => isBusy || single.resume(id, file), batch.resume)
  const isEnabled = !isDisabled && !isBusy
  const drag = useDrop({ rules, isEnabled, onDrop: takeDropped })
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
    const refusal = refusalOf(file, rules)
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
        <Dragging drag={drag} />
      ) : batch.given ? (
        !batch.isLoaded && <LoadingBatch />
      ) : (
        <Single single={single} isDisabled={isDisabled} onFiles={take} results={children} />
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

const loadStored = () => import('../engine/stored-single.ts')
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

interface SingleProps {
  single: ReturnType<typeof useSingleUpload>
  isDisabled: boolean
  onFiles: (files: readonly File[]) => void
  results: Props['children']
}

/** The zone without a batch: for one file, from the choice to the result. */
function Single({ single, isDisabled, onFiles, results }: SingleProps) {
  const { item, isBusy, retry, wake, reset } = single
  const preview = useObjectUrl(item?.file)
  if (item?.image !== undefined && preview !== undefined)
    return results({ images: [item.image], onAgain: reset, preview })
  return (
    <Inner>
      {item !== undefined && isBusy ? (
        <Busy item={item} preview={preview} onWake={wake} onCancel={reset} />
      ) : item?.stage === 'failed' ? (
        <Failed item={item} preview={preview} onFiles={onFiles} onRetry={retry} onDiscard={reset} />
      ) : isDisabled ? (
        <p className="max-w-[36ch] text-text-2">{dropZone.off}</p>
      ) : (
        <Idle onFiles={onFiles} />
      )}
    </Inner>
  )
}

const GuestBatch = onDemand(async () => (await import('./guest-batch.tsx')).GuestBatch)
const UploadPace = onDemand(async () => (await import('./upload-pace.tsx')).UploadPace)

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

function LoadingBatch() {
  return (
    <Inner>
      <p role="status">{navigator.onLine ? common.loading : upload.waiting.connection}</p>
    </Inner>
  )
}

const Inner = ({ children }: { children: ReactNode }) => <div className="zone-inner">{children}</div>

const rules = rulesOf('guest')

/** The image moves to its new place where the browser supports it and the user accepts motion. */
function withViewTransition(update: () => void): void {
  const isReduced = matchMedia('(prefers-reduced-motion: reduce)').matches
  if (isReduced || document.hidden || !('startViewTransition' in document)) return update()
  document.startViewTransition(() => flushSync(update))
}

function Idle({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const pasteKey = useClientValue(() => (/Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl'), 'Ctrl')
  return (
    <div className="grid justify-items-center">
      <ZoneIcon />
      <h2 className="mt-5 text-h3">{dropZone.idle}</h2>
      <p className="mt-1 mb-5 text-dense text-text-2" data-limit="guestMaxBytes">
        {dropZone.guestLimits(formatBytes(rules.maxBytes))}
      </p>
      <Choose text={dropZone.choose} onFiles={onFiles} />
      <p className="mt-5 text-meta text-balance text-text-2 coarse:hidden">
        <kbd className="kbd">{pasteKey}</kbd> <kbd className="kbd">V</kbd> {dropZone.pasteHint}
      </p>
    </div>
  )
}

function ZoneIcon({ background = 'bg-accent-soft' }: { background?: string }) {
  return (
    <span className={clsx('grid size-17 place-items-center rounded-card text-accent-text', background)}>
      <CloudUpload className="size-8" aria-hidden />
    </span>
  )
}

function Dragging({ drag }: { drag: Drag & { isOver: true } }) {
  return (
    <Inner>
      {drag.refusal === undefined ? (
        <div className="grid justify-items-center">
          <ZoneIcon background="bg-surface" />
          <p className="mt-5 text-h3 text-accent-text">{dropZone.drop}</p>
        </div>
      ) : (
        <div className="grid justify-items-center text-danger-text" role="alert">
          <CircleAlert className="size-10" aria-hidden />
          <p className="mt-4 max-w-[36ch] font-medium wrap-anywhere">{drag.refusal}</p>
        </div>
      )}
    </Inner>
  )
}

/** The remaining share is the server's work: reading, checking and storing the file. */
const percentWhenSent = 95

interface BusyProps {
  item: UploadItem
  preview: string | undefined
  onWake: () => void
  onCancel: () => void
}

function Busy({ item, preview, onWake, onCancel }: BusyProps) {
  const { file, sent } = item
  const wait = waitOf([item])
  const percent = Math.floor(sent * percentWhenSent)
  return (
    <>
      <img
        className="dropped-picture absolute inset-0 size-full object-contain"
        src={preview}
        alt={dropZone.preview(file.name)}
      />
      <div className="absolute inset-x-3 bottom-3 rounded-control border border-border bg-surface p-3 text-left shadow-menu">
        <div className="mb-2.5 flex items-center gap-3">
          <p className="min-w-0 flex-1 font-medium">
            <span role="status">{wait && waitText(wait)}</span>
            {wait === undefined && upload.uploading}{' '}
            {wait?.reason !== 'limit' && <span className="text-text-2 tabular-nums">{dropZone.percent(percent)}</span>}
          </p>
          <button type="button" className="btn btn-quiet btn-sm" onClick={onCancel}>
            {common.cancel}
          </button>
        </div>
        <Progress percent={percent} />
        <p className="mt-2 text-meta text-text-2 tabular-nums empty:hidden">
          {/* Nothing is sent before the script of the pace is there. */}
          {wait === undefined ? sent > 0 && <UploadPace item={item} /> : <WaitLine wait={wait} onRetry={onWake} />}
        </p>
      </div>
    </>
  )
}

interface FailedProps {
  item: UploadItem
  preview: string | undefined
  onFiles: (files: readonly File[]) => void
  onRetry: () => void
  onDiscard: () => void
}

/** With another attempt where one may help, otherwise with the reason and another file. */
function Failed({ item, preview, onFiles, onRetry, onDiscard }: FailedProps) {
  const isRetryable = canRetry(item)
  return (
    <div className="grid justify-items-center gap-4">
      {isRetryable ? (
        <img
          className="max-h-36 max-w-full rounded-tile object-contain"
          src={preview}
          alt={dropZone.preview(item.file.name)}
        />
      ) : (
        <CircleAlert className="size-10 text-text-2" aria-hidden />
      )}
      <div>
        <p className="font-medium wrap-anywhere">{failureText(item)}</p>
        {!isRetryable && <p className="mt-1 text-dense wrap-anywhere text-text-2">{item.file.name}</p>}
      </div>
      <div className="flex flex-wrap justify-center gap-3">
        {isRetryable ? (
          <>
            <button type="button" className="btn btn-primary" onClick={onRetry}>
              {common.tryAgain}
            </button>
            <button type="button" className="btn btn-quiet" onClick={onDiscard}>
              {dropZone.discard}
            </button>
          </>
        ) : (
          <Choose text={dropZone.chooseAnother} onFiles={onFiles} />
        )}
      </div>
    </div>
  )
}

function Choose({ text, onFiles }: { text: string; onFiles: (files: readonly File[]) => void }) {
  return (
    <FileButton text={text} className="btn btn-primary" accept={acceptedTypes(rules)} isMultiple onFiles={onFiles} />
  )
}
