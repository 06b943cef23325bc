// The upload bar of a logged-in user: one file at a time, or several for the queue.
import { clsx } from 'clsx'
import { useState, type ReactNode } from 'react'
import { useSharedFiles } from '../shared-files.ts'
import { addImage } from '../../../model/images/images.ts'
import { useStore } from '../../../model/store.ts'
import { prepareImage } from '../engine/prepare-image.ts'
import { enqueue } from '../engine/upload-queue.ts'
import { isUnderWay, type UploadItem } from '../engine/upload-state.ts'
import { upload } from '../../../texts/messages.ts'
import { area } from '../../../texts/upload-messages.ts'
import { notify } from '../../../ui/toast/toast.ts'
import { filesOf } from '../drop/files-of.ts'
import { refusalOf, rulesOf } from '../drop/rules.ts'
import { useDrop } from '../drop/use-drop.ts'
import { usePaste } from '../drop/use-paste.ts'
import { severalFiles } from '../upload-prefs.ts'
import { UploadTarget } from '../upload-target.tsx'
import { type SingleUploadRole, useSingleUpload } from '../use-single-upload.ts'
import { AreaBusy, AreaDragged, AreaFailed, AreaIdle, AreaOffer, AreaShared } from './area-content.tsx'
import { KeepPhotographs } from './upload-switch.tsx'
import { createToastSteps, showPreparation } from './toast-steps.ts'

interface Props {
  /** Shown at the right end, or below the rest where the bar is roomy. */
  aside?: ReactNode
  /** As large as the zone of guests, for an empty gallery. */
  isRoomy?: boolean
}

export function UploadArea({ aside, isRoomy = false }: Props) {
  const allowsSeveral = useStore(severalFiles)
  /** Several files that were given where one is expected. */
  const [offered, setOffered] = useState<readonly File[]>()
  const [shared, setShared] = useState<readonly File[]>()
  const { item, isBusy, start, retry, reset } = useSingleUpload(userRole)
  const drag = useDrop(rules, !isBusy, (transfer) => void takeDropped(transfer), allowsSeveral)
  usePaste(!isBusy, (files) => take(files, true), allowsSeveral)
  useSharedFiles(setShared)

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

  function take(files: readonly File[], isPasted = false): void {
    if (allowsSeveral) return queue(files)
    const [file] = files
    const refusal = refusalOf(files, rules)
    if (refusal !== undefined) notify.error(refusal)
    if (files.length > 1) {
      reset()
      setOffered(files)
    } else if (file !== undefined && refusal === undefined) {
      setOffered(undefined)
      start(file, isPasted)
    }
  }

  const state = stateOf(offered, item, shared)

  function content(): ReactNode {
    switch (state.name) {
      case 'offer': {
        const queueAll = () => {
          setOffered(undefined)
          queue(state.files)
        }
        return <AreaOffer onOneByOne={queueAll} onDiscard={() => setOffered(undefined)} />
      }
      case 'busy':
        return <AreaBusy item={state.item} onCancel={reset} />
      case 'failed':
        return <AreaFailed item={state.item} onRetry={retry} onDiscard={reset} />
      case 'shared': {
        const uploadAll = () => {
          setShared(undefined)
          if (state.files.length > 1) queue(state.files)
          else take(state.files)
        }
        return <AreaShared files={state.files} onUpload={uploadAll} onDiscard={() => setShared(undefined)} />
      }
      case 'idle':
        return (
          <AreaIdle rules={rules} done={item} onFiles={take}>
            {aside}
          </AreaIdle>
        )
    }
  }

  return (
    <>
      <UploadTarget
        className={clsx(
          'bar',
          isRoomy && 'bar-roomy',
          drag.isOver && (drag.refusal === undefined ? 'bar-active' : 'bar-refused'),
        )}
        drag={drag}
        state={state.name}
        isBusy={isBusy}
      >
        {drag.isOver ? <AreaDragged refusal={drag.refusal} /> : content()}
      </UploadTarget>
      <KeepPhotographs />
    </>
  )
}

const rules = rulesOf('user')

function userRole(): SingleUploadRole {
  const toasts = createToastSteps('upload')
  return {
    toasts,
    prepare: prepareImage,
    onEvent: (item, event) => showPreparation(toasts, item, event),
    onUploaded: addImage,
  }
}

const queue = (files: readonly File[]) => enqueue(files.map((file) => ({ file, refusal: refusalOf([file], rules) })))

type AreaState =
  | { name: 'offer' | 'shared'; files: readonly File[] }
  | { name: 'busy' | 'failed'; item: UploadItem }
  | { name: 'idle' }

function stateOf(
  offered: readonly File[] | undefined,
  item: UploadItem | undefined,
  shared: readonly File[] | undefined,
): AreaState {
  if (offered !== undefined) return { name: 'offer', files: offered }
  if (item !== undefined && isUnderWay(item)) return { name: 'busy', item }
  if (item?.stage === 'failed') return { name: 'failed', item }
  return shared === undefined ? { name: 'idle' } : { name: 'shared', files: shared }
}
