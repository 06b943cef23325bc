// The content of the upload bar in each of its states.
import { CircleAlert, CloudUpload } from 'lucide-react'
import type { ReactNode } from 'react'
import { canRetry, type UploadItem } from '../engine/upload-state.ts'
import { common, dropZone, upload } from '../../../texts/messages.ts'
import { area } from '../../../texts/upload-messages.ts'
import { ChooseButton } from '../drop/choose-button.tsx'
import { FolderButton } from '../drop/folder-button.tsx'
import { userRules } from '../drop/user-rules.ts'
import { FilePreview } from '../file-preview.tsx'
import { Progress } from '../progress.tsx'
import { failureText } from '../use-single-upload.ts'

interface IdleProps {
  /** What the conversion of the last upload saved. */
  outcome: string | undefined
  isSeveral: boolean
  onSeveral: (isOn: boolean) => void
  onFiles: (files: readonly File[]) => void
  children: ReactNode
}

export function AreaIdle({ outcome, isSeveral, onSeveral, onFiles, children }: IdleProps) {
  return (
    <>
      <div className="bar-lead flex min-w-0 items-center gap-3 max-md:basis-full md:gap-4">
        <CloudUpload className="size-6 shrink-0 text-accent-text" aria-hidden />
        <div className="min-w-0">
          <p className="flex flex-wrap items-baseline gap-x-3">
            <span className="font-semibold">{dropZone.idle}</span>
            <span className="text-dense text-balance text-text-2">{userRules.text}</span>
          </p>
          <p className="text-meta text-success-text tabular-nums empty:hidden" role="status">
            {outcome}
          </p>
        </div>
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 max-md:basis-full">
        <ChooseButton
          className="btn btn-primary h-9 px-3.5 text-dense max-xs:flex-1"
          rules={userRules}
          isMultiple
          text={isSeveral ? area.chooseSeveral : dropZone.choose}
          onFiles={onFiles}
        />
        {isSeveral && <FolderButton className="btn btn-quiet h-9 px-3.5 text-dense max-xs:flex-1" onFiles={onFiles} />}
        <label className="flex min-h-9 cursor-pointer items-center gap-2.5 text-dense coarse:min-h-11">
          <input
            type="checkbox"
            // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- a native checkbox has its checked state
            role="switch"
            className="switch"
            checked={isSeveral}
            onChange={({ target }) => onSeveral(target.checked)}
          />
          {area.several}
        </label>
      </div>
      {children !== undefined && <div className="max-md:-ml-3 md:-mr-3 md:ml-auto">{children}</div>}
    </>
  )
}

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
  file: File
  text: string
  /** What it waits for, instead of `text`. */
  wait: string | undefined
  percent: number
  /** The speed, or what the user should know about a wait. */
  note: string | undefined
  onCancel: () => void
}

export function AreaBusy({ file, text, wait, percent, note, onCancel }: BusyProps) {
  return (
    <>
      <FilePreview file={file} />
      <div className="min-w-0 max-w-md flex-1">
        <p className="mb-2 font-medium max-xs:text-dense">
          <span role="status">{wait}</span>
          {wait === undefined && text} <span className="text-text-2 tabular-nums">{dropZone.percent(percent)}</span>
        </p>
        <Progress percent={percent} label={wait ?? text} />
        <p className="mt-1.5 text-meta text-text-2 tabular-nums empty:hidden">{note}</p>
      </div>
      <button type="button" className="btn btn-quiet h-9 px-3 text-dense" onClick={onCancel}>
        {common.cancel}
      </button>
    </>
  )
}

interface FailedProps {
  item: UploadItem
  onRetry: () => void
  onDiscard: () => void
}

export function AreaFailed({ item, onRetry, onDiscard }: FailedProps) {
  const { file } = item
  return (
    <>
      <FilePreview file={file} />
      <p className="min-w-0 font-medium max-md:flex-1 max-md:basis-52">{failureText(item)}</p>
      {canRetry(item) && (
        <button type="button" className="btn btn-primary" onClick={onRetry}>
          {common.tryAgain}
        </button>
      )}
      <button type="button" className="btn btn-quiet" onClick={onDiscard}>
        {dropZone.discard}
      </button>
    </>
  )
}

export function AreaOffer({ onOneByOne, onDiscard }: { onOneByOne: () => void; onDiscard: () => void }) {
  return (
    <>
      <CircleAlert className="size-6 shrink-0 text-danger-text" aria-hidden />
      <p className="min-w-0 font-medium max-md:flex-1">{upload.tooMany}</p>
      <div className="flex flex-wrap gap-2 max-md:basis-full md:ml-2">
        <button type="button" className="btn btn-primary h-9 px-3.5 text-dense" onClick={onOneByOne}>
          {area.oneByOne}
        </button>
        <button type="button" className="btn btn-quiet h-9 px-3.5 text-dense" onClick={onDiscard}>
          {dropZone.discard}
        </button>
      </div>
    </>
  )
}

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
      <div className="flex flex-wrap gap-2 max-md:basis-full md:ml-2">
        <button type="button" className="btn btn-primary" onClick={onUpload}>
          {area.upload}
        </button>
        <button type="button" className="btn btn-quiet" onClick={onDiscard}>
          {dropZone.discard}
        </button>
      </div>
    </>
  )
}
