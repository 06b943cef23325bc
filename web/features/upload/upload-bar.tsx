// The slim zone above a gallery: the picture that has arrived is shown there, so the zone is ready for the next at once.
import { clsx } from 'clsx'
import { CircleAlert, CloudUpload } from 'lucide-react'
import type { UploadedImage } from '../../../contract/images.ts'
import { common, dropZone, upload } from '../../notify/messages.ts'
import { ChooseButton } from './choose-button.tsx'
import { DropFrame } from './drop-frame.tsx'
import { Progress } from './progress.tsx'
import type { UploadRules } from './rules.ts'
import { useUploadZone } from './use-upload-zone.ts'

interface Props {
  rules: UploadRules
  onUploaded: (image: UploadedImage) => void
}

export function UploadBar({ rules, onUploaded }: Props) {
  const { phase, drag, take, retry, cancel, reset, zone } = useUploadZone({ rules, onUploaded })
  const refusal = drag.isOver ? drag.refusal : undefined
  const isUnderWay = !drag.isOver && (phase.name === 'busy' || phase.name === 'failed')

  return (
    <div
      ref={zone}
      className={clsx('bar', drag.isOver && (refusal === undefined ? 'bar-active' : 'bar-refused'))}
      role="group"
      aria-label={dropZone.label}
      aria-busy={phase.name === 'busy'}
      tabIndex={-1}
    >
      <DropFrame drag={drag} />
      {isUnderWay ? (
        <img
          className="size-10 shrink-0 rounded-tile bg-surface-2 object-cover"
          src={phase.preview}
          alt={dropZone.preview(phase.file.name)}
        />
      ) : (
        <BarIcon isRefused={refusal !== undefined} />
      )}
      {drag.isOver ? (
        <p className="min-w-0 flex-1 font-medium wrap-anywhere">{refusal ?? dropZone.drop}</p>
      ) : phase.name === 'busy' ? (
        <>
          <div className="min-w-0 max-w-md flex-1">
            <p className="mb-2 font-medium max-xs:text-dense">
              {upload.uploading} <span className="text-text-2 tabular-nums">{dropZone.percent(phase.percent)}</span>
            </p>
            <Progress percent={phase.percent} />
          </div>
          <button type="button" className="btn btn-quiet h-9 px-3 text-dense" onClick={cancel}>
            {common.cancel}
          </button>
        </>
      ) : phase.name === 'failed' ? (
        <>
          <p className="min-w-0 max-md:basis-52 max-md:flex-1 font-medium">{dropZone.failed}</p>
          <button type="button" className="btn btn-primary" onClick={() => void retry(phase.file)}>
            {common.tryAgain}
          </button>
          <button type="button" className="btn btn-quiet" onClick={reset}>
            {dropZone.discard}
          </button>
        </>
      ) : (
        <>
          <p className="flex min-w-0 flex-wrap items-baseline gap-x-3 max-md:flex-1">
            <span className="font-semibold">{dropZone.idle}</span>
            <span className="text-dense text-text-2">{rules.text}</span>
          </p>
          <ChooseButton
            rules={rules}
            className="btn btn-primary h-9 px-3.5 text-dense max-md:basis-full md:ml-2"
            onFiles={take}
          />
        </>
      )}
    </div>
  )
}

function BarIcon({ isRefused }: { isRefused: boolean }) {
  const Icon = isRefused ? CircleAlert : CloudUpload
  return <Icon className={clsx('size-6 shrink-0', isRefused ? 'text-danger-text' : 'text-accent-text')} aria-hidden />
}
