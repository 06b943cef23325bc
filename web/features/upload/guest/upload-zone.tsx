// The drop zone of guests: the limits, the image during its upload, the result by `children`.
import { clsx } from 'clsx'
import { CircleAlert, CloudUpload } from 'lucide-react'
import { useEffect, useRef, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import type { UploadedImage } from '../../../../contract/endpoints/images.ts'
import type { UploadRole } from '../engine/upload-engine.ts'
import { canRetry, MissingScript, type UploadItem, waitOf } from '../engine/upload-state.ts'
import { common, dropZone, upload } from '../../../texts/messages.ts'
import { useClientValue } from '../../../ui/client-value.ts'
import { notify } from '../../../ui/toast/toast.ts'
import { ChooseButton } from '../drop/choose-button.tsx'
import { DropFrame } from '../drop/drop-frame.tsx'
import { refusalOf, type UploadRules } from '../drop/rules.ts'
import { useDrop, type Drag } from '../drop/use-drop.ts'
import { usePaste } from '../drop/use-paste.ts'
import { Progress } from '../progress.tsx'
import { useObjectUrl } from '../../../ui/use-object-url.ts'
import { paceText, waitText } from '../upload-status.ts'
import { useUploadClock } from '../use-upload-clock.ts'
import { failureText, problemText, useSingleUpload } from '../use-single-upload.ts'
import { useAskBeforeLeaving } from '../window-effects.ts'

interface Props {
  rules: UploadRules
  isDisabled?: boolean
  /** Loads what the result needs. Nothing is sent before it has succeeded. */
  onStart: () => Promise<unknown>
  /** Stores the image. It resolves before the upload is reported as done. */
  onUploaded: (image: UploadedImage) => Promise<void>
  /** Called when an upload starts and when it has ended. */
  onBusy: (isBusy: boolean) => void
  /** Renders the result. `preview` is an object URL of the file; `again` empties the zone. */
  children: (image: UploadedImage, preview: string, again: () => void) => ReactNode
}

export function UploadZone({ rules, isDisabled = false, onStart, onUploaded, onBusy, children }: Props) {
  const { item, isBusy, start, retry, reset } = useSingleUpload(
    () => guestRole(onStart, onUploaded),
    () => notify.dismiss(toastId),
  )
  const preview = useObjectUrl(item?.file)
  const zone = useRef<HTMLDivElement>(null)
  const isEnabled = !isDisabled && !isBusy
  const drag = useDrop(rules, isEnabled, ({ files }) => take([...files]))
  usePaste(isEnabled, take)
  useAskBeforeLeaving(isBusy)
  useEffect(() => onBusy(isBusy), [onBusy, isBusy])
  // The focused button disappears when the upload starts.
  useEffect(() => {
    if (isBusy) zone.current?.focus({ preventScroll: true })
  }, [isBusy])

  function take(files: readonly File[]): void {
    const [file] = files
    const refusal = refusalOf(files, rules)
    if (refusal !== undefined) notify.error(refusal)
    else if (file !== undefined) start(file)
  }

  const isRefused = drag.isOver && drag.refusal !== undefined

  return (
    <div
      ref={zone}
      className={clsx('zone', drag.isOver && (isRefused ? 'zone-refused' : 'zone-active'))}
      role="group"
      aria-label={dropZone.label}
      aria-busy={isBusy}
      // Not while busy: it would also disable the Cancel button inside.
      aria-disabled={isDisabled}
      tabIndex={-1}
    >
      <DropFrame drag={drag} />
      {item?.image !== undefined && preview !== undefined && !drag.isOver ? (
        children(item.image, preview, reset)
      ) : (
        <div className="zone-inner">
          {drag.isOver ? (
            <Dragging drag={drag} />
          ) : item !== undefined && isBusy ? (
            <Busy item={item} preview={preview} onCancel={reset} />
          ) : item?.stage === 'failed' ? (
            <Failed item={item} preview={preview} onRetry={retry} onDiscard={reset} />
          ) : isDisabled ? (
            <Off />
          ) : (
            <Idle rules={rules} onFiles={take} />
          )}
        </div>
      )}
    </div>
  )
}

const toastId = 'upload'
/** The remaining share is the server's work: reading, checking and storing the file. */
const percentWhenSent = 95

const loadSending = () => Promise.all([import('../engine/send-image.ts'), import('../engine/started-uploads.ts')])

/** Sends the file unchanged. The scripts for that and for the result load with the first upload. */
function guestRole(onStart: Props['onStart'], onUploaded: Props['onUploaded']): UploadRole {
  let loaded: Awaited<ReturnType<typeof loadSending>> | undefined
  return {
    async send(file, options) {
      try {
        // Nothing is sent while the page could not show and store the result.
        ;[loaded] = await Promise.all([loadSending(), onStart()])
      } catch (cause) {
        throw new MissingScript('The scripts of the upload were not loaded', { cause })
      }
      options.signal.throwIfAborted()
      const [{ sendImage }, { fingerprintOf }] = loaded
      const image = await sendImage(file, { ...options, startedAs: fingerprintOf(file) })
      // First: a reload right after the message must not lose the image and its only delete token.
      await onUploaded(image)
      return image
    },
    onCancelled({ file }) {
      if (loaded === undefined) return
      const [, { endStarted, fingerprintOf }] = loaded
      endStarted(fingerprintOf(file))
    },
    onEvent({ waitsFor }, event) {
      // A further attempt has no message: the zone shows what it waits for.
      if (event.type === 'sending' && waitsFor === undefined) notify.loading(upload.uploading, toastId)
      if (event.type === 'postponed') notify.dismiss(toastId)
      if (event.type === 'failed') notify.error(problemText(event.problem), toastId)
      if (event.type === 'done') notify.success(upload.done, toastId)
    },
    commit: withViewTransition,
  }
}

/** The image moves to its new place where the browser supports it and the user accepts motion. */
function withViewTransition(update: () => void): void {
  const isReduced = matchMedia('(prefers-reduced-motion: reduce)').matches
  if (isReduced || document.hidden || !('startViewTransition' in document)) return update()
  document.startViewTransition(() => flushSync(update))
}

function Idle({ rules, onFiles }: { rules: UploadRules; onFiles: (files: readonly File[]) => void }) {
  const pasteKey = useClientValue(() => (/Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl'), 'Ctrl')
  return (
    <div className="grid justify-items-center">
      <ZoneIcon />
      <h2 className="mt-5 text-h3">{dropZone.idle}</h2>
      <p className="mt-1 mb-5 text-dense text-text-2" data-limit="guestMaxBytes">
        {rules.text}
      </p>
      <ChooseButton rules={rules} className="btn btn-primary" onFiles={onFiles} />
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
  if (drag.refusal === undefined) {
    return (
      <div className="grid justify-items-center">
        <ZoneIcon background="bg-surface" />
        <p className="mt-5 text-h3 text-accent-text">{dropZone.drop}</p>
      </div>
    )
  }
  return (
    <div className="grid justify-items-center text-danger-text" role="alert">
      <CircleAlert className="size-10" aria-hidden />
      <p className="mt-4 max-w-[36ch] font-medium wrap-anywhere">{drag.refusal}</p>
    </div>
  )
}

interface BusyProps {
  item: UploadItem
  preview: string | undefined
  onCancel: () => void
}

function Busy({ item, preview, onCancel }: BusyProps) {
  const { file, sent, isRestarted } = item
  const wait = waitOf([item])
  const bytesSent = sent * file.size
  const clock = useUploadClock(wait === undefined, () => ({ bytesSent, work: bytesSent, allWork: file.size }))
  const percent = Math.floor(sent * percentWhenSent)
  const note = wait === undefined ? (paceText(clock) ?? (isRestarted ? upload.restarted : '')) : upload.continues
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
        <p className="mt-2 text-meta text-text-2 tabular-nums empty:hidden">{note}</p>
      </div>
    </>
  )
}

interface FailedProps {
  item: UploadItem
  preview: string | undefined
  onRetry: () => void
  onDiscard: () => void
}

function Failed({ item, preview, onRetry, onDiscard }: FailedProps) {
  const { file } = item
  return (
    <div className="grid justify-items-center gap-4">
      <img
        className="max-h-36 max-w-full rounded-tile object-contain"
        src={preview}
        alt={dropZone.preview(file.name)}
      />
      <p className="font-medium">{failureText(item)}</p>
      <div className="flex flex-wrap justify-center gap-3">
        {canRetry(item) && (
          <button type="button" className="btn btn-primary" onClick={onRetry}>
            {common.tryAgain}
          </button>
        )}
        <button type="button" className="btn btn-quiet" onClick={onDiscard}>
          {dropZone.discard}
        </button>
      </div>
    </div>
  )
}

function Off() {
  return <p className="max-w-[36ch] text-text-2">{dropZone.off}</p>
}
