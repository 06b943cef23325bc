import { useEffect, useEffectEvent } from 'react'
import { upload } from '../../../texts/messages.ts'
import { notify } from '../../../ui/toast/toast.ts'

/**
 * Images pasted outside text fields.
 * @param isLast leaves to others what they take
 */
export function usePaste(isEnabled: boolean, onFiles: (files: File[]) => void, isLast = false): void {
  const paste = useEffectEvent((event: ClipboardEvent) => {
    // A paste into a dialog is not meant for the page behind it.
    if (
      !isEnabled ||
      event.defaultPrevented ||
      document.querySelector('dialog[open]') !== null ||
      isTextField(event.target)
    )
      return
    if (isHidden(event)) {
      event.preventDefault()
      void imagesOfClipboard().then(take, fail)
      return
    }
    const items = [...(event.clipboardData?.items ?? [])].filter(isImage)
    if (items.length === 0) return
    event.preventDefault()
    try {
      const images = items.map((item) => item.getAsFile())
      const found = images.filter((image) => image !== null)
      if (found.length < images.length) notify.error(upload.dataFailed)
      take(found)
    } catch (error) {
      fail(error)
    }
  })

  function take(images: readonly Blob[]): void {
    // Distinct names.
    const name = (at: number) => `pasted-image-${Date.now() + at}.png`
    if (images.length > 0) onFiles(images.map((image, at) => new File([image], name(at), { type: image.type })))
  }

  useEffect(() => {
    const listener = (event: ClipboardEvent) => paste(event)
    // Not on an element: a focused button receives no paste event.
    const place: EventTarget = isLast ? window : document
    place.addEventListener('paste', listener as (event: Event) => void)
    return () => place.removeEventListener('paste', listener as (event: Event) => void)
  }, [isLast])
}

const isImage = ({ kind, type }: DataTransferItem) => kind === 'file' && type.startsWith('image/')

function fail(error: unknown): void {
  console.error(error)
  notify.error(upload.pasteFailed)
}

/** WebKitGTK lists no image in the event, but gives it to whoever reads the clipboard during the event. Other browsers would ask. */
const isHidden = ({ clipboardData }: ClipboardEvent) =>
  clipboardData?.types.length === 0 && navigator.vendor.startsWith('Apple') && 'clipboard' in navigator

async function imagesOfClipboard(): Promise<Blob[]> {
  const items = await navigator.clipboard.read()
  const images = items.map((item) => ({ item, type: item.types.find((type) => type.startsWith('image/')) }))
  return Promise.all(images.flatMap(({ item, type }) => (type === undefined ? [] : item.getType(type))))
}

const isTextField = (target: EventTarget | null) =>
  target instanceof Element &&
  target.closest('input:not([readonly]), textarea:not([readonly]), [contenteditable]') !== null
