// The drop zone of guests: the limits, the image during its upload, the result by `children`.
import { clsx } from 'clsx'
import { CircleAlert, CloudUpload } from 'lucide-react'
import { useEffect, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { formatBytes } from '../../../../contract/plain/format-bytes.ts'
import type { UploadedImage } from '../../../../contract/endpoints/images.ts'
import { canRetry, type UploadItem, waitOf } from '../engine/upload-state.ts'
import { common, dropZone, upload } from '../../../texts/messages.ts'
import { useClientValue } from '../../../ui/client-value.ts'
import { notify } from '../../../ui/toast/toast.ts'
import { FileButton } from '../drop/file-button.tsx'
import { acceptedTypes, refusalOf, rulesOf } from '../drop/rules.ts'
import { useDrop, type Drag } from '../drop/use-drop.ts'
import { usePaste } from '../drop/use-paste.ts'
import { Progress } from '../progress.tsx'
import { useObjectUrl } from '../../../ui/use-object-url.ts'
import { UploadTarget } from '../upload-target.tsx'
import { failureText, noteText, waitText } from '../upload-texts.ts'
import { useUploadClock } from '../use-upload-clock.ts'
import { type SingleUploadRole, useSingleUpload } from '../use-single-upload.ts'

interface Props extends Required<Pick<SingleUploadRole, 'onStart' | 'onUploaded'>> {
  isDisabled?: boolean
  /** Called when an upload starts and when it has ended. */
  onBusy: (isBusy: boolean) => void
  /** Renders the result. `preview` is an object URL of the file; `again` empties the zone. */
  children: (image: UploadedImage, preview: string, again: () => void) => ReactNode
}

export function UploadZone({ isDisabled = false, onStart, onUploaded, onBusy, children }: Props) {
  // A guest's file is sent unchanged.
  const single = useSingleUpload(() => ({ toasts: notify, onStart, onUploaded, commit: withViewTransition }))
  const { item, isBusy, start, reset } = single
  const preview = useObjectUrl(item?.file)
  const isEnabled = !isDisabled && !isBusy
  const drag = useDrop(rules, isEnabled, ({ files }) => take([...files]))
  usePaste(isEnabled, take)
  useEffect(() => onBusy(isBusy), [onBusy, isBusy])

  function take(files: readonly File[]): void {
    const [file] = files
    const refusal = refusalOf(files, rules)
    if (refusal !== undefined) notify.error(refusal)
    else if (file !== undefined) start(file)
  }

  const isRefused = drag.isOver && drag.refusal !== undefined
  return (
    <UploadTarget
      className={clsx('zone', drag.isOver && (isRefused ? 'zone-refused' : 'zone-active'))}
      drag={drag}
      state={isBusy ? 'busy' : (item?.stage ?? 'idle')}
      isBusy={isBusy}
      isDisabled={isDisabled}
    >
      {item?.image !== undefined && preview !== undefined && !drag.isOver ? (
        children(item.image, preview, reset)
      ) : (
        <div className="zone-inner">
          {drag.isOver ? (
            <Dragging drag={drag} />
          ) : item !== undefined && isBusy ? (
            <Busy item={item} preview={preview} onCancel={reset} />
          ) : item?.stage === 'failed' ? (
            <Failed item={item} preview={preview} onRetry={single.retry} onDiscard={reset} />
          ) : isDisabled ? (
            <p className="max-w-[36ch] text-text-2">{dropZone.off}</p>
          ) : (
            <Idle onFiles={take} />
          )}
        </div>
      )}
    </UploadTarget>
  )
}

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
      <FileButton text={dropZone.choose} className="btn btn-primary" accept={acceptedTypes(rules)} onFiles={onFiles} />
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

/** The remaining share is the server's work: reading, checking and storing the file. */
const percentWhenSent = 95

interface BusyProps {
  item: UploadItem
  preview: string | undefined
  onCancel: () => void
}

function Busy({ item, preview, onCancel }: BusyProps) {
  const { file, sent } = item
  const wait = waitOf([item])
  const bytesSent = sent * file.size
  const clock = useUploadClock(wait === undefined, () => ({ bytesSent, work: bytesSent, allWork: file.size }))
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
        <p className="mt-2 text-meta text-text-2 tabular-nums empty:hidden">{noteText(item, wait, clock)}</p>
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
  return (
    <div className="grid justify-items-center gap-4">
      <img
        className="max-h-36 max-w-full rounded-tile object-contain"
        src={preview}
        alt={dropZone.preview(item.file.name)}
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
