import { useEffect, useRef } from 'react'
import type { UploadedImage } from '../../../contract/images.ts'
import { notify } from '../../ui/toast/toast.ts'
import { refusalOf, type UploadRules } from './rules.ts'
import { useDrop } from './use-drop.ts'
import { usePaste } from './use-paste.ts'
import { useUpload } from './use-upload.ts'

interface Options {
  rules: UploadRules
  isDisabled?: boolean
  onStart?: () => Promise<unknown>
  onUploaded: (image: UploadedImage) => unknown
}

/** Everything that a zone does, whatever it looks like: picked, dropped or pasted, checked, sent. */
export function useUploadZone({ rules, isDisabled = false, onStart, onUploaded }: Options) {
  const { phase, start, cancel, reset } = useUpload(onUploaded, onStart)
  const zone = useRef<HTMLDivElement>(null)
  const isBusy = phase.name === 'busy'
  const isEnabled = !isDisabled && !isBusy

  function take(files: readonly File[]): void {
    const [file] = files
    const refusal = refusalOf(files, rules)
    if (refusal !== undefined) notify.error(refusal)
    else if (file !== undefined) void start(file)
  }

  const drag = useDrop(rules, isEnabled, ({ files }) => take([...files]))
  usePaste(isEnabled, take)

  useEffect(() => {
    if (!isBusy) return
    // The button that was pressed is gone now; reading goes on in its place.
    zone.current?.focus({ preventScroll: true })
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isBusy])

  return { phase, drag, take, retry: start, cancel, reset, zone }
}
