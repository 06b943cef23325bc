import { clsx } from 'clsx'
import { type LucideIcon, RotateCw, X } from 'lucide-react'
import { memo, type ReactNode } from 'react'
import { percentOf } from '../engine/upload-progress.ts'
import type { StoredQueue } from '../engine/stored-queue.ts'
import { canRetry, isUnderWay, type UploadItem, waitOf } from '../engine/upload-state.ts'
import { dropZone, upload } from '../../../texts/messages.ts'
import { pace, steps, uploadQueue } from '../../../texts/upload-messages.ts'
import { FilePreview } from '../file-preview.tsx'
import { Progress } from '../progress.tsx'
import { keptHint, outcomeLine } from '../size-saved-text.ts'
import { reasonText, waitText } from '../wait-and-failure-texts.ts'

interface Props {
  queue: StoredQueue
  item: UploadItem
  /** Changes only for items that get further by themselves. */
  now: number
  /** What can be done with the uploaded image. */
  children: ReactNode
}

export const UploadQueueRow = memo(function UploadQueueRow({ queue, item, now, children }: Props) {
  const { id, file, stage } = item
  const percent = Math.floor(percentOf(item, now))
  const isActive = isUnderWay(item)
  const isBad = stage === 'failed'
  const only = new Set([id])

  return (
    <li className="flex items-center gap-3 py-2">
      <FilePreview file={file} source={file.size === 0 ? item.image?.thumbnailUrl : undefined} />
      <div className="min-w-0 flex-1">
        <p className="truncate text-dense font-medium" title={file.name}>
          {file.name}
        </p>
        <p
          className={clsx(
            'text-meta wrap-anywhere tabular-nums',
            isBad ? 'text-danger-text' : isSuccess(item) ? 'text-success-text' : 'text-text-2',
          )}
        >
          {stageText(item)} {stage === 'sending' && dropZone.percent(percent)}
        </p>
        {isActive && stage !== 'waiting' && (stage !== 'ready' || item.sent > 0) && (
          <div className="mt-1">
            <Progress percent={percent} label={file.name} />
          </div>
        )}
      </div>
      <div className="-mr-1.5 flex">
        {canRetry(item) && (
          <RowButton icon={RotateCw} text={uploadQueue.retry(file.name)} onPress={() => queue.retry(only)} />
        )}
        {stage !== 'done' && (
          <RowButton
            icon={X}
            text={isActive ? uploadQueue.cancel(file.name) : uploadQueue.remove(file.name)}
            onPress={() => queue.cancel(only)}
          />
        )}
        {children}
      </div>
    </li>
  )
})

/** That a file was sent as it is, larger than it might be, is neither good nor bad. */
const isSuccess = ({ stage, prepared }: UploadItem) => stage === 'done' && prepared?.outcome !== 'larger'

function RowButton({ icon: Icon, text, onPress }: { icon: LucideIcon; text: string; onPress: () => void }) {
  return (
    <button
      type="button"
      className="btn-icon btn-icon-sm"
      onClick={({ currentTarget }) => {
        // The button is about to disappear.
        currentTarget.closest('ul')?.focus()
        onPress()
      }}
    >
      <Icon className="size-4" aria-hidden />
      <span className="sr-only">{text}</span>
    </button>
  )
}

function stageText(item: UploadItem): string {
  const { stage, file, prepared, problem, isRestarted } = item
  const wait = waitOf([item])
  switch (stage) {
    case 'reading':
    case 'converting':
      return steps.converting
    case 'waiting':
    case 'ready':
    case 'sending':
      if (wait !== undefined) return waitText(wait)
      if (stage !== 'sending') return uploadQueue.waiting
      return isRestarted ? pace.restarted : upload.uploading
    case 'done':
      return (prepared === undefined ? undefined : outcomeLine(file, prepared)) ?? uploadQueue.done
    case 'failed':
    case 'refused':
      return problem === undefined ? upload.failed : reasonText(problem) + keptHint({ prepared, problem })
  }
}
