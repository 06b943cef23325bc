// One upload at a time, of a guest or a user: from the file to its toast.
import { useEffect, useState } from 'react'
import type { UploadedImage } from '../../../contract/endpoints/images.ts'
import { whenOnline } from '../../model/online.ts'
import { useStore } from '../../model/store.ts'
import { createUploadEngine, type UploadRole } from './engine/upload-engine.ts'
import {
  afterEvent,
  canRetry,
  idsOf,
  isUnderWay,
  newItem,
  type UploadEvent,
  type UploadItem,
} from './engine/upload-state.ts'
import { MissingScript } from './engine/wait-or-give-up.ts'
import { upload } from '../../texts/messages.ts'
import { problemText } from './wait-and-failure-texts.ts'
import { useLeaveGuard } from '../../ui/forms/use-leave-guard.ts'

export interface SingleUploadRole extends Pick<UploadRole, 'prepare' | 'onEvent' | 'commit'> {
  toasts: UploadToasts
  /** Loads what the result needs. Nothing is sent before it has succeeded. */
  onStart?: () => Promise<unknown>
  /** Stores or shows the image, before the upload is reported as done. */
  onUploaded: (image: UploadedImage) => Promise<void> | void
  /** Stores the upload, so that a reload does not lose it. */
  onStored?: (item: UploadItem) => void
  /** It is over, and need not be stored. */
  onOver?: (item: UploadItem) => void
  /** Sends the rest when another page is opened. */
  onLeft: (items: readonly UploadItem[]) => unknown
}

/** All have the same id, so that they replace each other. */
export interface UploadToasts {
  loading: (text: string, id: string) => void
  success: (text: string, id: string) => void
  error: (text: string, id: string) => void
  dismiss: (id: string) => void
}

const toastId = 'upload'

/** For as long as the component is mounted; then the upload is left to `onLeft`. The role of the first render applies. */
export function useSingleUpload(createRole: () => SingleUploadRole) {
  const [{ engine, start, resume, cancel, leave }] = useState(() => createSingleUpload(createRole()))
  useEffect(() => {
    addEventListener('online', engine.wake)
    return () => {
      removeEventListener('online', engine.wake)
      leave()
    }
  }, [engine, leave])
  const [item] = useStore(engine.store)
  const isBusy = item !== undefined && isUnderWay(item)
  useLeaveGuard(isBusy)
  return {
    item,
    isBusy,
    start,
    /** Goes on with an upload of an earlier visit. */
    resume,
    retry: () => engine.retry(idsOf(engine.store.get())),
    /** Tries at once what waits. */
    wake: engine.wake,
    /** Cancels the upload or discards its result. */
    reset: cancel,
  }
}

/** On demand: a guest's page does not send before its first upload. */
const loadSending = () => import('./engine/send-image.ts')

function createSingleUpload({ toasts, onStart, onUploaded, onEvent, ...role }: SingleUploadRole) {
  const { onStored, onOver, onLeft } = role
  const engine = createUploadEngine({
    ...role,
    async send(file, options) {
      // Nothing is sent while the page could not show and store the result.
      const [{ sendChosen }] = await Promise.all([loadSending(), onStart?.()]).catch((cause: unknown) => {
        throw new MissingScript('Scripts were not loaded', { cause })
      })
      options.signal.throwIfAborted()
      const image = await sendChosen(file, options)
      // First: a reload right after the message must not lose the image and a guest's only delete token.
      await onUploaded(image)
      return image
    },
    onEvent(item, event) {
      onEvent?.(item, event)
      showOutcome(item, event)
      const { type } = event
      if (type === 'prepared' && item.prepared?.outcome === 'converted') onStored?.(item)
      if (type === 'done' || (type === 'failed' && !canRetry(item))) onOver?.(item)
    },
    onCancelled(item) {
      onOver?.(item)
      // A script that failed to load is not loaded again: the next upload needs it.
      whenOnline()
        .then(loadSending)
        .then(({ endChosen }) => endChosen(item))
        .catch((error: unknown) => console.info('Not cancelled', error))
    },
  })

  function showOutcome({ wait }: UploadItem, event: UploadEvent): void {
    // A further attempt has no message: the page shows what it waits for.
    if (event.type === 'sending' && wait === undefined) toasts.loading(upload.uploading, toastId)
    if (event.type === 'postponed') toasts.dismiss(toastId)
    if (event.type === 'failed') toasts.error(problemText(event.problem), toastId)
    if (event.type === 'done') toasts.success(upload.done, toastId)
  }

  function start(file: File, isPasted = false, album?: string): void {
    cancel()
    for (const item of engine.add([{ file, isPasted, album }])) onStored?.(item)
  }

  function resume(id: string, file: File): void {
    const prepared = { file, outcome: 'unchanged' } as const
    engine.restore([afterEvent(newItem(id, file, Date.now()), { type: 'prepared', prepared }, Date.now())])
  }

  function leave(): void {
    const left = engine.release()
    if (left.length > 0) {
      toasts.dismiss(toastId)
      onLeft(left)
    } else cancel()
  }

  function cancel(): void {
    const items = engine.store.get()
    engine.remove(idsOf(items))
    // An upload whose response has arrived is not cancelled: the engine still lists it.
    if (items.some(isUnderWay) && engine.store.get().length === 0) toasts.dismiss(toastId)
  }

  return { engine, start, resume, cancel, leave }
}
