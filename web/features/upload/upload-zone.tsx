// The large drop zone: it shows what it takes, then the picture on its way, then what `children` make of the result.
import { clsx } from 'clsx'
import { CircleAlert, CloudUpload } from 'lucide-react'
import type { ReactNode } from 'react'
import type { UploadedImage } from '../../../contract/images.ts'
import { common, dropZone, upload } from '../../texts/messages.ts'
import { useClientValue } from '../../ui/client-value.ts'
import { ChooseButton } from './choose-button.tsx'
import { DropFrame } from './drop-frame.tsx'
import { Progress } from './progress.tsx'
import type { UploadRules } from './rules.ts'
import type { Drag } from './use-drop.ts'
import { useUploadZone } from './use-upload-zone.ts'

interface Props {
  rules: UploadRules
  isDisabled?: boolean
  /** Loads what the result will need. The upload waits for it. */
  onStart: () => Promise<unknown>
  onUploaded: (image: UploadedImage) => unknown
  /** The result: the image, the address of the file itself, and the way back to an empty zone. */
  children: (image: UploadedImage, preview: string, again: () => void) => ReactNode
}

export function UploadZone({ rules, isDisabled = false, onStart, onUploaded, children }: Props) {
  const { phase, drag, take, retry, cancel, reset, zone } = useUploadZone({ rules, isDisabled, onStart, onUploaded })
  const isRefused = drag.isOver && drag.refusal !== undefined
  const isResult = phase.name === 'done' && !drag.isOver

  return (
    <div
      ref={zone}
      className={clsx('zone', drag.isOver && (isRefused ? 'zone-refused' : 'zone-active'))}
      role="group"
      aria-label={dropZone.label}
      aria-busy={phase.name === 'busy'}
      // Not while busy: it would disable Cancel too, which stands inside.
      aria-disabled={isDisabled}
      tabIndex={-1}
    >
      <DropFrame drag={drag} />
      {isResult ? (
        children(phase.image, phase.preview, reset)
      ) : (
        <div className="zone-inner">
          {drag.isOver ? (
            <Dragging drag={drag} />
          ) : phase.name === 'busy' ? (
            <Busy name={phase.file.name} preview={phase.preview} percent={phase.percent} onCancel={cancel} />
          ) : phase.name === 'failed' ? (
            <Failed
              name={phase.file.name}
              preview={phase.preview}
              onRetry={() => void retry(phase.file)}
              onDiscard={reset}
            />
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

function Idle({ rules, onFiles }: { rules: UploadRules; onFiles: (files: readonly File[]) => void }) {
  const pasteKey = useClientValue(() => (/Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl'), 'Ctrl')
  return (
    <div className="grid justify-items-center">
      <ZoneIcon />
      <h2 className="mt-5 text-h3">{dropZone.idle}</h2>
      <p className="mt-1 mb-5 text-dense text-text-2">{rules.text}</p>
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
  preview: string
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
  preview: string
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
