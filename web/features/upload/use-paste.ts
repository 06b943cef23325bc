import { useEffect, useEffectEvent } from 'react'
import { upload } from '../../notify/messages.ts'
import { notify } from '../../notify/toast.ts'

/** An image pasted anywhere on the page, except where text is being written. Only the first image counts. */
export function usePaste(isEnabled: boolean, onFile: (file: File) => void): void {
  const paste = useEffectEvent((event: ClipboardEvent) => {
    if (!isEnabled || isWriting(event.target)) return
    const item = [...(event.clipboardData?.items ?? [])].find(isImage)
    if (item === undefined) return
    event.preventDefault()
    try {
      const image = item.getAsFile()
      if (image === null) notify.error(upload.dataFailed)
      else onFile(new File([image], `pasted-image-${Date.now()}.png`, { type: image.type }))
    } catch (error) {
      console.error(error)
      notify.error(upload.pasteFailed)
    }
  })

  useEffect(() => {
    const listener = (event: ClipboardEvent) => paste(event)
    // On the document: browsers do not tell a focused button of a paste.
    document.addEventListener('paste', listener)
    return () => document.removeEventListener('paste', listener)
  }, [])
}

const isImage = ({ kind, type }: DataTransferItem) => kind === 'file' && type.startsWith('image/')

const isWriting = (target: EventTarget | null) =>
  target instanceof Element &&
  target.closest('input:not([readonly]), textarea:not([readonly]), [contenteditable]') !== null
