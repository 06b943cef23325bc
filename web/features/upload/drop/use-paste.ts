import { useEffect, useEffectEvent } from 'react'
import { upload } from '../../../texts/messages.ts'
import { notify } from '../../../ui/toast/toast.ts'

/** Images pasted outside text fields. */
export function usePaste(isEnabled: boolean, onFiles: (files: File[]) => void): void {
  const paste = useEffectEvent((event: ClipboardEvent) => {
    // A paste into a dialog is not meant for the page behind it.
    if (!isEnabled || document.querySelector('dialog[open]') !== null || isTextField(event.target)) return
    const items = [...(event.clipboardData?.items ?? [])].filter(isImage)
    if (items.length === 0) return
    event.preventDefault()
    try {
      const images = items.map((item) => item.getAsFile())
      const found = images.filter((image) => image !== null)
      if (found.length < images.length) notify.error(upload.dataFailed)
      // Distinct names.
      const name = (at: number) => `pasted-image-${Date.now() + at}.png`
      if (found.length > 0) onFiles(found.map((image, at) => new File([image], name(at), { type: image.type })))
    } catch (error) {
      console.error(error)
      notify.error(upload.pasteFailed)
    }
  })

  useEffect(() => {
    const listener = (event: ClipboardEvent) => paste(event)
    // On the document: a focused button receives no paste event.
    document.addEventListener('paste', listener)
    return () => document.removeEventListener('paste', listener)
  }, [])
}

const isImage = ({ kind, type }: DataTransferItem) => kind === 'file' && type.startsWith('image/')

const isTextField = (target: EventTarget | null) =>
  target instanceof Element &&
  target.closest('input:not([readonly]), textarea:not([readonly]), [contenteditable]') !== null
