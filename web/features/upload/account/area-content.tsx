// The content of the upload bar in each of its states.
import { CircleAlert, CloudUpload, ImageOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatBytes } from '../../../../contract/plain/format-bytes.ts'
import { figuresOf, percentOf } from '../engine/upload-progress.ts'
import { canRetry, type UploadItem, waitOf } from '../engine/upload-state.ts'
import { common, dropZone, upload } from '../../../texts/messages.ts'
import { area, steps } from '../../../texts/upload-messages.ts'
import { FileButton } from '../drop/file-button.tsx'
import { isSystemFile } from '../drop/dropped-files.ts'
import { acceptedTypes, type UploadRules } from '../drop/accepted-files.ts'
import { FilePreview } from '../file-preview.tsx'
import { Progress } from '../progress.tsx'
import { keptHint, outcomeLine } from '../size-saved-text.ts'
import { timeLeftText } from '../time-left-text.ts'
import { TrashNote } from '../trash-note.tsx'
import { failureText, waitText } from '../wait-and-failure-texts.ts'
import { useUploadClock } from '../use-upload-clock.ts'
import { WaitLine } from '../wait-line.tsx'
import { useTitlePercent } from '../title-percent.ts'

interface IdleProps {
  rules: UploadRules
  /** The last upload: what its conversion saved is shown. */
  done: UploadItem | undefined
  onFiles: (files: readonly File[]) => void
  children: ReactNode
}

const small = 'h-9 px-3.5 text-dense'

export function AreaIdle({ rules, done, onFiles, children }: IdleProps) {
  return (
    <>
      <div className="bar-lead flex min-w-0 items-center gap-3 max-md:basis-full md:gap-4">
        <CloudUpload className="size-6 shrink-0 text-accent-text" aria-hidden />
        <div className="min-w-0">
          <p className="flex flex-wrap items-baseline gap-x-3">
            <span className="font-semibold">{dropZone.idle}</span>
            <span className="text-dense text-balance text-text-2">{area.limits(formatBytes(rules.maxBytes))}</span>
          </p>
          <p
            className={`text-meta tabular-nums empty:hidden ${done?.prepared?.outcome === 'larger' ? 'text-text-2' : 'text-success-text'}`}
            role="status"
          >
            {done?.prepared && outcomeLine(done.file, done.prepared)}
          </p>
        </div>
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 max-md:basis-full">
        <FileButton
          text={dropZone.choose}
          className={`btn btn-primary ${small} max-xs:flex-1`}
          accept={acceptedTypes(rules)}
          isMultiple
          onFiles={onFiles}
        />
        {canChooseFolders && (
          <span className="contents max-md:hidden coarse:hidden">
            <FileButton
              text={area.chooseFolder}
              className={`btn btn-quiet ${small} max-xs:flex-1`}
              isFolder
              onFiles={(files) => onFiles(files.filter(({ name }) => !isSystemFile(name)))}
            />
          </span>
        )}
      </div>
      {children !== undefined && <div className="max-md:-ml-3 md:-mr-3 md:ml-auto">{children}</div>}
    </>
  )
}

/** Browsers of phones cannot. */
const canChooseFolders = 'webkitdirectory' in HTMLInputElement.prototype

export function AreaDragged({ refusal }: { refusal: string | undefined }) {
  const Icon = refusal === undefined ? CloudUpload : CircleAlert
  return (
    <>
      <Icon
        className={`size-6 shrink-0 ${refusal === undefined ? 'text-accent-text' : 'text-danger-text'}`}
        aria-hidden
      />
      <p className="min-w-0 flex-1 font-medium wrap-anywhere">{refusal ?? dropZone.drop}</p>
    </>
  )
}

interface BusyProps {
  item: UploadItem
  /** What waits is tried at once. */
  onWake: () => void
  onCancel: () => void
}

export function AreaBusy({ item, onWake, onCancel }: BusyProps) {
  const wait = waitOf([item])
  const clock = useUploadClock(wait === undefined, (now) => figuresOf([item], now))
  const percent = Math.floor(percentOf(item, clock.now))
  const text = wait === undefined ? busyText(item) : waitText(wait)
  useTitlePercent(percent)
  return (
    <>
      <FilePreview file={item.file} />
      <div className="min-w-0 max-w-md flex-1">
        <p className="mb-2 font-medium max-xs:text-dense">
          <span role="status">{wait && text}</span>
          {wait === undefined && (
            <>
              {text} <span className="text-text-2 tabular-nums">{dropZone.percent(percent)}</span>
            </>
          )}
        </p>
        <Progress percent={percent} label={text} />
        <p className="mt-1.5 text-meta text-text-2 tabular-nums empty:hidden">
          {wait === undefined ? timeLeftText(item, clock) : <WaitLine wait={wait} onRetry={onWake} />}
        </p>
      </div>
      <button type="button" className="btn btn-quiet h-9 px-3 text-dense" onClick={onCancel}>
        {common.cancel}
      </button>
    </>
  )
}

function busyText({ stage, isPasted }: UploadItem): string {
  if (stage === 'converting') return steps.converting
  return isPasted && (stage === 'waiting' || stage === 'reading') ? steps.pasting : upload.uploading
}

interface FailedProps {
  item: UploadItem
  rules: UploadRules
  onFiles: (files: readonly File[]) => void
  onRetry: () => void
  onDiscard: () => void
}

export function AreaFailed({ item, rules, onFiles, onRetry, onDiscard }: FailedProps) {
  const isRetryable = canRetry(item)
  return (
    <>
      {isRetryable ? (
        <FilePreview file={item.file} />
      ) : (
        <ImageOff className="size-6 shrink-0 text-text-2" aria-hidden />
      )}
      <p className="min-w-0 font-medium wrap-anywhere max-md:flex-1 max-md:basis-52">
        {failureText(item) + keptHint(item)}
        <TrashNote items={[item]} />
      </p>
      {isRetryable ? (
        <UploadOrDiscard text={common.tryAgain} onUpload={onRetry} onDiscard={onDiscard} />
      ) : (
        <FileButton
          text={dropZone.chooseAnother}
          className={`btn btn-primary ${small}`}
          accept={acceptedTypes(rules)}
          isMultiple
          onFiles={onFiles}
        />
      )}
    </>
  )
}

const choice = 'flex flex-wrap gap-2 max-md:basis-full md:ml-2'

/** Previews of shared files. */
const maxPreviews = 4

interface SharedProps {
  files: readonly File[]
  onUpload: () => void
  onDiscard: () => void
}

/** Any site can share files: none is sent before the user has seen them. */
export function AreaShared({ files, onUpload, onDiscard }: SharedProps) {
  return (
    <>
      <div className="bar-shared flex max-w-full flex-wrap gap-2">
        {files.slice(0, maxPreviews).map((file, at) => (
          <FilePreview key={at} file={file} size="size-16 md:size-20" />
        ))}
      </div>
      <p className="min-w-0 font-medium wrap-anywhere max-md:flex-1 max-md:basis-52" role="status">
        {area.shared(files.map(({ name }) => name))}
      </p>
      <div className={choice}>
        <UploadOrDiscard text={area.upload} onUpload={onUpload} onDiscard={onDiscard} />
      </div>
    </>
  )
}

interface UploadOrDiscardProps {
  text: string
  onUpload: () => void
  onDiscard: () => void
}

/** The two buttons for an upload that waits for a decision. */
function UploadOrDiscard({ text, onUpload, onDiscard }: UploadOrDiscardProps) {
  return (
    <>
      <button type="button" className="btn btn-primary" onClick={onUpload}>
        {text}
      </button>
      <button type="button" className="btn btn-quiet" onClick={onDiscard}>
        {dropZone.discard}
      </button>
    </>
  )
}
