import { useEffect, useState } from 'react'
import { useStore } from '../../model/store.ts'
import { createUploadEngine, type UploadRole } from './engine/upload-engine.ts'
import { canRetry, isUnderWay, type Problem, type UploadItem } from './engine/upload-state.ts'
import { dropZone, upload } from '../../texts/messages.ts'

/**
 * One upload at a time, for as long as the component is mounted: unmounting cancels it. The role of
 * the first render applies.
 * @param onCancelled also called when unmounting cancels
 */
export function useSingleUpload(createRole: () => UploadRole, onCancelled: () => void) {
  const [{ engine, replace, cancel }] = useState(() => createSingleUpload(createRole(), onCancelled))
  useEffect(() => {
    addEventListener('online', engine.wake)
    return () => {
      removeEventListener('online', engine.wake)
      cancel()
    }
  }, [engine, cancel])
  const [item] = useStore(engine.store)
  return {
    item,
    isBusy: item !== undefined && isUnderWay(item),
    start: (file: File, isPasted = false) => replace(file, isPasted),
    retry: () => item !== undefined && engine.retry(new Set([item.id])),
    /** Cancels the upload or discards its result. */
    reset: cancel,
  }
}

function createSingleUpload(role: UploadRole, onCancelled: () => void) {
  const engine = createUploadEngine(role)
  function cancel(): void {
    const items = engine.store.get()
    engine.remove(new Set(items.map(({ id }) => id)))
    // An upload whose response has arrived is not cancelled: the engine still lists it.
    if (items.some(isUnderWay) && engine.store.get().length === 0) onCancelled()
  }
  function replace(file: File, isPasted: boolean): void {
    cancel()
    engine.add([{ file, isPasted }])
  }
  return { engine, replace, cancel }
}

/** What became of a failed upload: that it can be tried again, or why not. */
export const failureText = (item: UploadItem): string =>
  canRetry(item) || item.problem === undefined ? dropZone.failed : problemText(item.problem)

/** The reason of a failed upload, as text. */
export function problemText({ kind, text }: Problem): string {
  if (kind === 'unreadable') return upload.dataFailed
  return kind === 'unexpected' ? upload.processFailed : text || upload.failed
}
