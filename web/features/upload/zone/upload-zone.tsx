// The drop zone of guests: the limits, the image during its upload, the result by `children`.
import { clsx } from 'clsx'
import { CircleAlert, CloudUpload } from 'lucide-react'
import { useEffect, useRef, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import type { UploadedImage } from '../../../../contract/images.ts'
import { ApiError } from '../../../data/api-error.ts'
import type { UploadRole } from '../../../data/upload/upload-engine.ts'
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
import { problemText, useSingleUpload } from '../use-single-upload.ts'
import { useAskBeforeLeaving } from '../window-effects.ts'

interface Props {
  rules: UploadRules
  isDisabled?: boolean
  /** Loads what the result needs. Nothing is sent before it has succeeded. */
  onStart: () => Promise<unknown>
  /** Stores the image. It resolves before the upload is reported as done. */
  onUploaded: (image: UploadedImage) => Promise<void>
  /** Renders the result. `preview` is an object URL of the file; `again` empties the zone. */
  children: (image: UploadedImage, preview: string, again: () => void) => ReactNode
}

export function UploadZone({ rules, isDisabled = false, onStart, onUploaded, children }: Props) {
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
            <Busy
              name={item.file.name}
              preview={preview}
              percent={Math.floor(item.sent * percentWhenSent)}
              onCancel={reset}
            />
          ) : item?.stage === 'failed' ? (
            <Failed name={item.file.name} preview={preview} onRetry={retry} onDiscard={reset} />
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

/** Sends the file unchanged. The scripts for that and for the result load with the first upload. */
const guestRole = (onStart: Props['onStart'], onUploaded: Props['onUploaded']): UploadRole => ({
  async send(file, { signal, onProgress }) {
    // Some browsers do not request a script again after a failed load.
    if (!navigator.onLine) throw new ApiError(0, undefined)
    // Nothing is sent while the page could not show and store the result.
    const [{ sendImage }] = await Promise.all([import('../../../data/upload/send-image.ts'), onStart()])
    signal.throwIfAborted()
    const image = await sendImage(file, { signal, onProgress })
    // First: a reload right after the message must not lose the image and its only delete token.
    await onUploaded(image)
    return image
  },
  onEvent(_, event) {
    if (event.type === 'sending') notify.loading(upload.uploading, toastId)
    if (event.type === 'failed') notify.error(problemText(event.problem), toastId)
    if (event.type === 'done') notify.success(upload.done, toastId)
  },
  commit: withViewTransition,
})

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
  name: string
  preview: string | undefined
  percent: number
  onCancel: () => void
}

function Busy({ name, preview, percent, onCancel }: BusyProps) {
  return (
    <>
      <img
        className="dropped-picture absolute inset-0 size-full object-contain"
        src={preview}
        alt={dropZone.preview(name)}
      />
      <div className="absolute inset-x-3 bottom-3 rounded-control border border-border bg-surface p-3 text-left shadow-menu">
        <div className="mb-2.5 flex items-center gap-3">
          <p className="min-w-0 flex-1 font-medium">
            {upload.uploading} <span className="text-text-2 tabular-nums">{dropZone.percent(percent)}</span>
          </p>
          <button type="button" className="btn btn-quiet btn-sm" onClick={onCancel}>
            {common.cancel}
          </button>
        </div>
        <Progress percent={percent} />
      </div>
    </>
  )
}

interface FailedProps {
  name: string
  preview: string | undefined
  onRetry: () => void
  onDiscard: () => void
}

function Failed({ name, preview, onRetry, onDiscard }: FailedProps) {
  return (
    <div className="grid justify-items-center gap-4">
      <img className="max-h-36 max-w-full rounded-tile object-contain" src={preview} alt={dropZone.preview(name)} />
      <p className="font-medium">{dropZone.failed}</p>
      <div className="flex flex-wrap justify-center gap-3">
        <button type="button" className="btn btn-primary" onClick={onRetry}>
          {common.tryAgain}
        </button>
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
