import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { UploadedImage } from '../../../contract/images.ts'
import { ApiError } from '../../data/api-error.ts'
import { upload } from '../../texts/messages.ts'
import { notify } from '../../ui/toast/toast.ts'

/** `preview` is an address of the file itself, good until the next upload. */
export type Phase =
  | { name: 'idle' }
  | { name: 'busy'; file: File; preview: string; percent: number }
  | { name: 'failed'; file: File; preview: string }
  | { name: 'done'; image: UploadedImage; preview: string }

const idle: Phase = { name: 'idle' }
const toastId = 'upload'
/** The rest is the server's: reading, checking and storing the file. */
const percentWhenSent = 95

/** One upload at a time, from the file to the image or the reason why not. */
export function useUpload(onUploaded: (image: UploadedImage) => unknown, onStart?: () => Promise<unknown>) {
  const [phase, setPhase] = useState<Phase>(idle)
  const running = useRef<AbortController>(null)
  const preview = phase.name === 'idle' ? undefined : phase.preview

  useEffect(() => () => running.current?.abort(), [])
  useEffect(() => {
    if (preview !== undefined) return () => URL.revokeObjectURL(preview)
  }, [preview])

  async function start(file: File): Promise<void> {
    const controller = (running.current = new AbortController())
    const preview = URL.createObjectURL(file)
    const showProgress = (fraction: number) =>
      setPhase({ name: 'busy', file, preview, percent: Math.floor(fraction * percentWhenSent) })
    showProgress(0)
    notify.loading(upload.uploading, toastId)
    try {
      // A script that once failed to load is not asked for again by every browser: better not to ask in vain.
      if (!navigator.onLine) throw new ApiError(0, undefined)
      // Before a byte is sent: a page that could not show and remember the result must not make one.
      const [{ sendImage }] = await Promise.all([import('../../data/upload.ts'), onStart?.()])
      const image = await sendImage(file, { signal: controller.signal, onProgress: showProgress })
      notify.success(upload.done, toastId)
      changeScene(() => {
        setPhase({ name: 'done', image, preview })
        onUploaded(image)
      })
    } catch (error) {
      if (controller.signal.aborted) {
        notify.dismiss(toastId)
        return setPhase(idle)
      }
      console.info('The upload failed', error)
      notify.error(error instanceof ApiError ? error.message || upload.failed : upload.processFailed, toastId)
      setPhase({ name: 'failed', file, preview })
    }
  }

  return { phase, start, cancel: () => running.current?.abort(), reset: () => setPhase(idle) }
}

/** The picture moves to its new place where the browser can do that and the visitor has not asked for stillness. */
function changeScene(update: () => void): void {
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
  if (isStill || document.hidden || !('startViewTransition' in document)) return update()
  document.startViewTransition(() => flushSync(update))
}
