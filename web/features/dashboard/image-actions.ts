// The actions on a user's own image, for tiles, rows, the phone's sheet, the lightbox and keys.
import {
  CalendarPlus,
  ChartNoAxesColumn,
  ChartSpline,
  CodeXml,
  Download,
  Eye,
  Link2,
  QrCode,
  Share2,
  Trash2,
} from 'lucide-react'
import { imageUrls } from '../../../contract/derive/client.ts'
import type { Image } from '../../../contract/endpoints/images.ts'
import { chosenLink } from '../../model/link-choice.ts'
import { send } from '../../model/http.ts'
import { copyText } from '../../ui/copy/copy-text.ts'
import { saveBlob } from '../../ui/save-blob.ts'
import { actions as text, actions } from '../../texts/dashboard-messages.ts'
import { copy, gallery } from '../../texts/gallery-messages.ts'
import { notify } from '../../ui/toast/toast.ts'
import type { Action } from '../../ui/action.ts'

export type ImageDialog = 'embed' | 'analysis' | 'views' | 'qr' | 'sheet'

interface ImageOperations {
  open: (image: Image) => void
  show: (dialog: ImageDialog, image: Image) => void
  extend: (images: readonly Image[]) => Promise<boolean>
  remove: (image: Image) => Promise<void>
}

export function imageActions({
  open,
  show,
  extend,
  remove,
}: ImageOperations): Record<'gallery' | 'lightbox', Action<Image>[]> {
  const view: Action<Image> = { id: 'view', label: text.view, icon: Eye, run: open }
  const shared: Action<Image>[] = [
    { id: 'share', label: text.share, icon: Share2, shortcut: 's', run: shareImage },
    { id: 'embed', label: gallery.embed, icon: CodeXml, shortcut: 'e', run: (image) => show('embed', image) },
    {
      id: 'analyze',
      label: text.analyze,
      icon: ChartNoAxesColumn,
      shortcut: 'a',
      run: (image) => show('analysis', image),
    },
    {
      id: 'extend',
      label: gallery.extend,
      icon: CalendarPlus,
      shortcut: 'l',
      run: async (image) => void (await extend([image])),
    },
    { id: 'views', label: text.views, icon: ChartSpline, run: (image) => show('views', image) },
    { id: 'qr', label: text.qr, icon: QrCode, run: (image) => show('qr', image) },
    { id: 'download', label: text.download, icon: Download, shortcut: 'd', run: download },
    { id: 'delete', label: gallery.delete, icon: Trash2, shortcut: 'delete', isDanger: true, run: remove },
  ]
  return {
    gallery: [view, copyAction(copy.url), ...shared],
    // As many as fit on a small phone.
    lightbox: [copyAction(text.imageUrlCopied), ...shared.filter(({ id }) => id !== 'qr' && id !== 'views')],
  }
}

const copyAction = (done: string): Action<Image> => ({
  id: 'copy',
  label: gallery.copyUrl,
  icon: Link2,
  shortcut: 'c',
  run: async (image) => void (await copyText(chosenLink(image), done)),
})

/** Fetches the bytes with the token, which takes no view, and then saves them. */
async function download({ id, original_name }: Image): Promise<void> {
  try {
    const response = await send({ method: 'GET', path: imageUrls.ownOriginal('', id) })
    saveBlob(await response.blob(), original_name)
  } catch (error) {
    console.info('Not downloaded', error)
    notify.error(text.downloadFailed)
  }
}

/** Uses the Web Share API; without it, copies the address to the clipboard. */
async function shareImage(image: Image): Promise<void> {
  const data = { url: chosenLink(image), title: image.title || image.original_name }
  try {
    // Missing outside secure contexts and in many desktop browsers.
    if (!('canShare' in navigator) || !navigator.canShare(data)) throw new Error('This browser cannot share')
    await navigator.share(data)
  } catch (error) {
    // The user closed the list of apps.
    if (error instanceof DOMException && error.name === 'AbortError') return
    console.info('Not shared; copying instead', error)
    await copyText(data.url, actions.imageUrlCopied)
  }
}
