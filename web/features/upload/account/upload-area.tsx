// The upload bar of a signed-in user: one file at a time, or several for the queue.
import { clsx } from 'clsx'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import type { UploadedImage } from '../../../../contract/endpoints/images.ts'
import { useSharedFiles } from '../shared-files.ts'
import { readStored, writeStored } from '../../../model/storage.ts'
import { prepareImage } from '../engine/prepare-image.ts'
import { sendImage } from '../engine/send-image.ts'
import { endStarted, fingerprintOf } from '../engine/started-uploads.ts'
import type { UploadRole } from '../engine/upload-engine.ts'
import { figuresOf, percentOf } from '../engine/upload-progress.ts'
import { enqueue } from '../engine/upload-queue.ts'
import { type UploadItem, waitOf } from '../engine/upload-state.ts'
import { dropZone, upload } from '../../../texts/messages.ts'
import { area, steps } from '../../../texts/upload-messages.ts'
import { notify } from '../../../ui/toast/toast.ts'
import { DropFrame } from '../drop/drop-frame.tsx'
import { filesOf } from '../drop/files-of.ts'
import { refusalOf } from '../drop/rules.ts'
import { useDrop } from '../drop/use-drop.ts'
import { usePaste } from '../drop/use-paste.ts'
import { userRules } from '../drop/user-rules.ts'
import { outcomeLine } from '../saving.ts'
import { paceText, waitText } from '../upload-status.ts'
import { useSingleUpload } from '../use-single-upload.ts'
import { useUploadClock } from '../use-upload-clock.ts'
import { useAskBeforeLeaving, useTitlePercent } from '../window-effects.ts'
import { AreaBusy, AreaDragged, AreaFailed, AreaIdle, AreaOffer, AreaShared } from './area-content.tsx'
import { createToastSteps, showStep, type ToastSteps } from './toast-steps.ts'

interface Props {
  /** Called for single uploads; the queue adds its images to the gallery itself. */
  onUploaded: (image: UploadedImage) => void
  /** Shown at the right end, or below the rest where the bar is roomy. */
  aside?: ReactNode
  /** As large as the zone of guests, for an empty gallery. */
  isRoomy?: boolean
}

const severalKey = 'upload_several'

export function UploadArea({ onUploaded, aside, isRoomy = false }: Props) {
  const [isSeveral, setSeveral] = useState(() => readStored(severalKey) === 'yes')
  /** Several files that were given where one is expected. */
  const [offered, setOffered] = useState<readonly File[]>()
  const [shared, setShared] = useState<readonly File[]>()
  const [toasts] = useState(() => createToastSteps('upload'))
  const { item, isBusy, start, retry, reset } = useSingleUpload(() => userRole(toasts, onUploaded), toasts.dismiss)
  const zone = useRef<HTMLDivElement>(null)
  const items = item === undefined ? [] : [item]
  const wait = waitOf(items)
  const clock = useUploadClock(isBusy && wait === undefined, (now) => figuresOf(items, now))
  const percent = item !== undefined && isBusy ? Math.floor(percentOf(item, clock.now)) : undefined
  const hasFailed = item?.stage === 'failed'
  const state =
    offered !== undefined ? 'offer' : isBusy ? 'busy' : hasFailed ? 'failed' : shared !== undefined ? 'shared' : 'idle'
  const shownState = useRef<string>(state)

  function take(files: readonly File[], isPasted = false): void {
    if (isSeveral) return queue(files)
    const [file] = files
    const refusal = refusalOf(files, userRules)
    if (refusal !== undefined) notify.error(refusal)
    if (files.length > 1) {
      reset()
      setOffered(files)
    } else if (file !== undefined && refusal === undefined) {
      setOffered(undefined)
      toasts.begin()
      if (isPasted) toasts.loading(steps.pasting)
      start(file, isPasted)
    }
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
  useSharedFiles(setShared)
  useAskBeforeLeaving(isBusy)
  useTitlePercent(percent)
  useEffect(() => {
    if (shownState.current === state) return
    shownState.current = state
    // The focused button may have disappeared with the earlier state.
    if (document.activeElement === document.body) zone.current?.focus({ preventScroll: true })
  }, [state])

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
      ) : offered !== undefined ? (
        <AreaOffer
          onOneByOne={() => {
            setOffered(undefined)
            queue(offered)
          }}
          onDiscard={() => setOffered(undefined)}
        />
      ) : item !== undefined && isBusy ? (
        <AreaBusy
          file={item.file}
          text={busyText(item)}
          wait={wait && waitText(wait)}
          percent={percent ?? 0}
          note={wait === undefined ? (paceText(clock) ?? (item.isRestarted ? upload.restarted : '')) : upload.continues}
          onCancel={reset}
        />
      ) : item !== undefined && hasFailed ? (
        <AreaFailed
          item={item}
          onRetry={() => {
            toasts.begin()
            retry()
          }}
          onDiscard={reset}
        />
      ) : shared !== undefined ? (
        <AreaShared
          files={shared}
          onUpload={() => {
            setShared(undefined)
            if (shared.length > 1) queue(shared)
            else take(shared)
          }}
          onDiscard={() => setShared(undefined)}
        />
      ) : (
        <AreaIdle
          outcome={item?.prepared === undefined ? undefined : outcomeLine(item.file, item.prepared)}
          isSeveral={isSeveral}
          onSeveral={changeSeveral}
          onFiles={take}
        >
          {aside}
        </AreaIdle>
      )}
    </div>
  )
}

const userRole = (toasts: ToastSteps, onUploaded: (image: UploadedImage) => void): UploadRole => ({
  prepare: prepareImage,
  send: (file, options) => sendImage(file, { ...options, startedAs: fingerprintOf(file) }),
  onCancelled: ({ file, prepared }) => endStarted(fingerprintOf(prepared?.file ?? file)),
  onEvent(item, event) {
    showStep(toasts, item, event)
    if (event.type === 'done') onUploaded(event.image)
  },
})

function busyText({ stage, isPasted }: UploadItem): string {
  if (stage === 'converting') return steps.converting
  return isPasted && (stage === 'waiting' || stage === 'reading') ? steps.pasting : upload.uploading
}

const queue = (files: readonly File[]) =>
  enqueue(files.map((file) => ({ file, refusal: refusalOf([file], userRules) })))
