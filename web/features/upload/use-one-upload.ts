// One file at a time: read, converted, sent, with a toast for each step.
import { useEffect, useRef, useState } from 'react'
import type { UploadedImage } from '../../../contract/images.ts'
import { ApiError } from '../../data/api-error.ts'
import { prepareImage, UnreadableFile, type Prepared } from '../../data/upload-prepare.ts'
import type { Step } from '../../data/upload-progress.ts'
import { sendImage } from '../../data/upload.ts'
import { randomUuid } from '../../data/uuid.ts'
import { upload } from '../../texts/messages.ts'
import { steps } from '../../texts/upload-messages.ts'
import { outcomeLine } from './saving.ts'
import { createToastSteps } from './toast-steps.ts'

/** `key`: the Idempotency-Key, the same for each attempt. */
interface Job {
  file: File
  key: string
  prepared?: Prepared
}

export type OnePhase =
  | { name: 'idle'; line?: string | undefined }
  /** Several were given. */
  | { name: 'offer'; files: readonly File[] }
  | { name: 'busy'; job: Job; text: string; step: Step }
  | { name: 'failed'; job: Job }

const idle: OnePhase = { name: 'idle' }

export function useOneUpload(onUploaded: (image: UploadedImage) => void) {
  const [phase, setPhase] = useState<OnePhase>(idle)
  const [toasts] = useState(() => createToastSteps('upload'))
  const running = useRef<AbortController>(null)
  // Whoever leaves in the middle has given it up; a message of an upload that is none any more would stay for good.
  useEffect(
    () => () => {
      if (running.current === null) return
      running.current.abort()
      toasts.dismiss()
    },
    [toasts],
  )

  async function run(job: Job, isPasted: boolean): Promise<void> {
    const own = (running.current = new AbortController())
    const { signal } = own
    const show = (text: string, stage: Step['stage'], sent = 0, since = Date.now()) =>
      setPhase({ name: 'busy', job, text, step: { stage, sent, since } })
    toasts.begin()
    try {
      if (isPasted) {
        show(steps.pasting, 'waiting')
        toasts.loading(steps.pasting)
      } else show(upload.uploading, 'waiting')
      if (job.prepared === undefined) {
        job.prepared = await prepareImage(job.file, signal, () => {
          if (isPasted) toasts.success(steps.pasted)
          toasts.loading(steps.converting)
          show(steps.converting, 'converting')
        })
        if (job.prepared.outcome === 'kept' && isPasted) toasts.success(steps.pasted)
        if (job.prepared.outcome === 'converted') toasts.success(steps.converted)
      }
      show(upload.uploading, 'sending')
      toasts.loading(upload.uploading)
      const image = await sendImage(job.prepared.file, {
        signal,
        key: job.key,
        onProgress: (sent) => show(upload.uploading, 'sending', sent),
      })
      toasts.success(upload.done)
      setPhase({ name: 'idle', line: outcomeLine(job.file, job.prepared) })
      onUploaded(image)
    } catch (error) {
      if (signal.aborted) return
      console.info('The upload failed', error)
      toasts.error(reasonOf(error))
      setPhase({ name: 'failed', job })
    } finally {
      // What has ended is not given up: its last message stays its time wherever the visitor goes.
      if (running.current === own) running.current = null
    }
  }

  return {
    phase,
    start: (file: File, isPasted: boolean) => void run({ file, key: randomUuid() }, isPasted),
    retry: (job: Job) => void run(job, false),
    offer: (files: readonly File[]) => setPhase({ name: 'offer', files }),
    /** Stops whatever is under way, and forgets it. */
    reset() {
      running.current?.abort()
      if (phase.name === 'busy') toasts.dismiss()
      setPhase(idle)
    },
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof UnreadableFile) return upload.dataFailed
  return error instanceof ApiError ? error.message || upload.failed : upload.processFailed
}
