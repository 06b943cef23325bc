// The upload bar of a logged-in user: one file is uploaded here, several by the queue.
import { clsx } from 'clsx'
import type { UploadedImage } from '../../../../contract/endpoints/images.ts'
import { useEffect, useState, type ReactNode } from 'react'
import { useSharedFiles } from '../shared-files.ts'
import { addImage } from '../../../model/images/change-images.ts'
import { session } from '../../../model/session.ts'
import { token } from '../../../model/token.ts'
import { forgetSingle, storeSingle } from '../engine/stored-single.ts'
import { prepareImage } from '../engine/prepare-image.ts'
import { userQueue } from '../engine/user-queue.ts'
import { isUnderWay, type UploadItem } from '../engine/upload-state.ts'
import { filesOrToast, uploadsOf } from '../drop/dropped-files.ts'
import { rulesOf } from '../drop/accepted-files.ts'
import { useDrop } from '../drop/use-drop.ts'
import { usePaste } from '../drop/use-paste.ts'
import { UploadTarget } from '../upload-target.tsx'
import { type SingleUploadRole, useSingleUpload } from '../use-single-upload.ts'
import { AreaBusy, AreaDragged, AreaFailed, AreaIdle, AreaShared } from './area-content.tsx'
import { createQueuedToasts, showPreparation } from './queued-toasts.ts'
import './upload-bar.css'

interface Props {
  /** Shown at the right end, or below the rest where the bar is roomy. */
  aside?: ReactNode
  /** The album that the uploads go into. */
  album?: string
  /** As large as the zone of guests, for an empty gallery. */
  isRoomy?: boolean
  /** The last upload, until the next one begins. */
  onResult: (image: UploadedImage | undefined) => void
}

export function UploadArea({ aside, album, isRoomy = false, onResult }: Props) {
  const [shared, setShared] = useState<readonly File[]>()
  const { item, isBusy, start, retry, wake, reset } = useSingleUpload(userRole)
  const drag = useDrop({
    rules,
    isEnabled: true,
    onDrop: (dropped) => void filesOrToast(dropped).then((files) => take(files)),
  })
  usePaste(true, (files) => take(files, true))
  useSharedFiles(setShared)
  const result = item?.image
  useEffect(() => onResult(result), [onResult, result])

  /** What is given during an upload joins the queue too. */
  function take(files: readonly File[], isPasted = false): void {
    const uploads = uploadsOf(files, rules, album)
    const [first] = uploads
    if (first === undefined) return
    if (uploads.length > 1 || isBusy) {
      // Theirs is shown instead of its result.
      if (!isBusy) reset()
      userQueue.enqueue(uploads)
    } else start(first.file, isPasted, album)
  }

  const state = stateOf(item, shared)

  function content(): ReactNode {
    switch (state.name) {
      case 'busy':
        return <AreaBusy item={state.item} onWake={wake} onCancel={reset} />
      case 'failed':
        return <AreaFailed item={state.item} rules={rules} onFiles={take} onRetry={retry} onDiscard={reset} />
      case 'shared': {
        const uploadAll = () => {
          setShared(undefined)
          take(state.files)
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
    <UploadTarget
      className={clsx(
        'bar',
        isRoomy ? 'bar-roomy' : 'bar-compact',
        !drag.isOver && state.name === 'idle' && 'bar-idle',
        drag.isOver && (drag.refusal === undefined ? 'bar-active' : 'bar-refused'),
      )}
      drag={drag}
      state={state.name}
      isBusy={isBusy}
    >
      {drag.isOver ? <AreaDragged refusal={drag.refusal} /> : content()}
    </UploadTarget>
  )
}

const rules = rulesOf('user')

function userRole(): SingleUploadRole {
  const toasts = createQueuedToasts('upload')
  return {
    toasts,
    prepare: prepareImage,
    onEvent: (item, event) => showPreparation(toasts, item, event),
    onUploaded: addImage,
    onStored(item) {
      const current = session.get()
      if (current.status === 'in') void storeSingle(current.user.id, item)
    },
    onOver: ({ id }) => void forgetSingle(id),
    // After a logout nothing is sent as a guest.
    onLeft: (items) => token.get() !== null && userQueue.take(items),
  }
}

type AreaState =
  | { name: 'shared'; files: readonly File[] }
  | { name: 'busy' | 'failed'; item: UploadItem }
  | { name: 'idle' }

function stateOf(item: UploadItem | undefined, shared: readonly File[] | undefined): AreaState {
  if (item !== undefined && isUnderWay(item)) return { name: 'busy', item }
  if (item?.stage === 'failed') return { name: 'failed', item }
  return shared === undefined ? { name: 'idle' } : { name: 'shared', files: shared }
}
