// The content of the drop zone of guests in each of its states.
import { clsx } from 'clsx'
import { CircleAlert, CloudUpload } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatBytes } from '../../../../contract/plain/format-bytes.ts'
import { common, dropZone, upload } from '../../../texts/messages.ts'
import { useClientValue } from '../../../ui/client-value.ts'
import { onDemand } from '../../../ui/on-demand.tsx'
import { useObjectUrl } from '../../../ui/use-object-url.ts'
import { FileButton } from '../drop/file-button.tsx'
import { acceptedTypes, rulesOf } from '../drop/accepted-files.ts'
import type { Drag } from '../drop/use-drop.ts'
import { canRetry, type UploadItem, waitOf } from '../engine/upload-state.ts'
import { Progress } from '../progress.tsx'
import { failureText, waitText } from '../wait-and-failure-texts.ts'
import type { useSingleUpload } from '../use-single-upload.ts'
import { WaitLine } from '../wait-line.tsx'
import type { ShownUploads } from './shown-uploads.ts'

export const guestRules = rulesOf('guest')

/** Shown as soon as something is sent. */
export const TimeLeft = onDemand(async () => (await import('./time-left.tsx')).TimeLeft)

interface Props {
  single: ReturnType<typeof useSingleUpload>
  isDisabled: boolean
  onFiles: (files: readonly File[]) => void
  results: (shown: ShownUploads) => ReactNode
}

/** The zone without a batch: for one file, from the choice to the result. */
export function ZoneSingle({ single, isDisabled, onFiles, results }: Props) {
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

export function ZoneLoading() {
  return (
    <Inner>
      <div className="grid justify-items-center" role="status">
        <ZoneIcon />
        <p className="mt-5 font-medium">{navigator.onLine ? common.loading : upload.waiting.connection}</p>
        {!navigator.onLine && <p className="mt-1 text-dense text-text-2">{upload.continues}</p>}
      </div>
    </Inner>
  )
}

const Inner = ({ children }: { children: ReactNode }) => <div className="zone-inner">{children}</div>

function Idle({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const pasteKey = useClientValue(() => (/Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl'), 'Ctrl')
  return (
    <div className="grid justify-items-center">
      <ZoneIcon />
      <h2 className="mt-5 text-h3">{dropZone.idle}</h2>
      <p className="mt-1 mb-5 text-dense text-text-2" data-limit="guestMaxBytes">
        {dropZone.guestLimits(formatBytes(guestRules.maxBytes))}
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

export function ZoneDragged({ drag }: { drag: Drag & { isOver: true } }) {
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
            {wait === undefined && (
              <>
                {upload.uploading} <span className="text-text-2 tabular-nums">{dropZone.percent(percent)}</span>
              </>
            )}
          </p>
          <button type="button" className="btn btn-quiet btn-sm" onClick={onCancel}>
            {common.cancel}
          </button>
        </div>
        <Progress percent={percent} />
        <p className="mt-2 text-meta text-text-2 tabular-nums empty:hidden">
          {/* Nothing is sent before the script of the pace is there. */}
          {wait === undefined ? sent > 0 && <TimeLeft item={item} /> : <WaitLine wait={wait} onRetry={onWake} />}
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
    <FileButton
      text={text}
      className="btn btn-primary"
      accept={acceptedTypes(guestRules)}
      isMultiple
      onFiles={onFiles}
    />
  )
}
