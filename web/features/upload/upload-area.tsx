// The slim zone above a gallery. One file at a time, or several: then they queue, and the tray shows them.
import { clsx } from 'clsx'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import type { UploadedImage } from '../../../contract/images.ts'
import { readStored, writeStored } from '../../data/storage.ts'
import { useSharedFiles } from '../../data/shared-files.ts'
import { percentOf } from '../../data/upload-progress.ts'
import { enqueue } from '../../data/upload-queue.ts'
import { dropZone, upload } from '../../texts/messages.ts'
import { notify } from '../../ui/toast/toast.ts'
import { area } from '../../texts/upload-messages.ts'
import { AreaBusy, AreaDragged, AreaFailed, AreaIdle, AreaOffer } from './area-content.tsx'
import { DropFrame } from './drop-frame.tsx'
import { filesOf } from './files-of.ts'
import { refusalOf } from './rules.ts'
import { useDrop } from './use-drop.ts'
import { useNow } from './use-now.ts'
import { useOneUpload } from './use-one-upload.ts'
import { usePaste } from './use-paste.ts'
import { userRules } from './user-rules.ts'
import { useAskBeforeLeaving, useTitlePercent } from './while-uploading.ts'

interface Props {
  /** Of one file at a time. The queue, which may end on another page, puts its images into the gallery itself. */
  onUploaded: (image: UploadedImage) => void
  /** Stands at the right end; below the rest where the bar is roomy. */
  aside?: ReactNode
  /** As large as a zone: there is nothing else on the page yet. */
  isRoomy?: boolean
}

const severalKey = 'upload_several'

export function UploadArea({ onUploaded, aside, isRoomy = false }: Props) {
  const [isSeveral, setSeveral] = useState(() => readStored(severalKey) === 'yes')
  const { phase, start, retry, offer, reset } = useOneUpload(onUploaded)
  const zone = useRef<HTMLDivElement>(null)
  const known = useRef<string>(phase.name)
  const isBusy = phase.name === 'busy'
  const now = useNow(isBusy)
  const percent = isBusy ? Math.floor(percentOf(phase.step, now)) : undefined

  function take(files: readonly File[], isPasted = false): void {
    if (isSeveral) return queue(files)
    const [file] = files
    const refusal = refusalOf(files, userRules)
    if (refusal !== undefined) notify.error(refusal)
    if (files.length > 1) offer(files)
    else if (file !== undefined && refusal === undefined) start(file, isPasted)
  }

  async function takeDropped(transfer: DataTransfer): Promise<void> {
    try {
      const files = await filesOf(transfer)
      if (files.length === 0) notify.error(area.nothingThere)
      else take(files)
    } catch (error) {
      console.info('What was dropped cannot be read', error)
      notify.error(upload.dataFailed)
    }
  }

  function changeSeveral(isOn: boolean): void {
    setSeveral(isOn)
    writeStored(severalKey, isOn ? 'yes' : null)
  }

  const drag = useDrop(userRules, !isBusy, (transfer) => void takeDropped(transfer), isSeveral)
  usePaste(!isBusy, (files) => take(files, true), isSeveral)
  useSharedFiles(take)
  useAskBeforeLeaving(isBusy)
  useTitlePercent(percent)
  useEffect(() => {
    if (known.current === phase.name) return
    known.current = phase.name
    // Where the button that was pressed is gone now, reading goes on in its place.
    if (document.activeElement === document.body) zone.current?.focus({ preventScroll: true })
  }, [phase.name])

  return (
    <div
      ref={zone}
      className={clsx(
        'bar',
        isRoomy && 'bar-roomy',
        drag.isOver && (drag.refusal === undefined ? 'bar-active' : 'bar-refused'),
      )}
      role="group"
      aria-label={dropZone.label}
      aria-busy={isBusy}
      tabIndex={-1}
    >
      <DropFrame drag={drag} />
      {drag.isOver ? (
        <AreaDragged refusal={drag.refusal} />
      ) : phase.name === 'busy' ? (
        <AreaBusy file={phase.job.file} text={phase.text} percent={percent ?? 0} onCancel={reset} />
      ) : phase.name === 'failed' ? (
        <AreaFailed file={phase.job.file} onRetry={() => retry(phase.job)} onDiscard={reset} />
      ) : phase.name === 'offer' ? (
        <AreaOffer
          onOneByOne={() => {
            reset()
            queue(phase.files)
          }}
          onDiscard={reset}
        />
      ) : (
        <AreaIdle line={phase.line} isSeveral={isSeveral} onSeveral={changeSeveral} onFiles={take}>
          {aside}
        </AreaIdle>
      )}
    </div>
  )
}

const queue = (files: readonly File[]) =>
  enqueue(files.map((file) => ({ file, refusal: refusalOf([file], userRules) })))
