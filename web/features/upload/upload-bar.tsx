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
          className="size-12 shrink-0 rounded-tile bg-surface-2 object-cover"
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
            <p className="mb-2 flex gap-1.5 font-medium">
              <span className="truncate">{upload.uploading}</span>
              <span className="text-text-2 tabular-nums">{dropZone.percent(phase.percent)}</span>
            </p>
            <Progress percent={phase.percent} />
          </div>
          <button type="button" className="btn btn-quiet" onClick={cancel}>
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
          <p className="min-w-0 max-md:flex-1 max-md:basis-52 md:mr-4">
            <span className="font-medium">{dropZone.idle}</span>
            <span className="block text-dense text-text-2">{rules.text}</span>
          </p>
          <ChooseButton rules={rules} className="btn btn-primary" onFiles={take} />
        </>
      )}
    </div>
  )
}

function BarIcon({ isRefused }: { isRefused: boolean }) {
  const Icon = isRefused ? CircleAlert : CloudUpload
  return (
    <span
      className={clsx(
        'grid size-12 shrink-0 place-items-center rounded-tile',
        isRefused ? 'text-danger-text' : 'bg-accent-soft text-accent-text',
      )}
    >
      <Icon className="size-6" aria-hidden />
    </span>
  )
}
