// The actions on a user's own image, for tiles, rows, the phone's sheet, the lightbox and keys.
import {
  CalendarClock,
  CalendarPlus,
  ChartNoAxesColumn,
  ChartSpline,
  CodeXml,
  Download,
  Eye,
  FolderMinus,
  FolderPlus,
  Globe,
  Image as ImageIcon,
  KeyRound,
  Link2,
  Lock,
  Pin,
  QrCode,
  Share2,
  Tags,
  Trash2,
} from 'lucide-react'
import { imageUrls } from '../../../contract/derive/client.ts'
import type { Image } from '../../../contract/endpoints/images.ts'
import type { Visibility } from '../../../contract/plain/visibility.ts'
import { copyChoices, type CopyChoice } from '../../model/copy-choice.ts'
import { send } from '../../model/http.ts'
import { isKept } from '../../model/images/expiry.ts'
import { mayKeepImages } from '../../model/images/may-keep.ts'
import { isOthers } from '../../model/images/own-image.ts'
import { isPrivate } from '../../model/images/visibility.ts'
import { saveBlob } from '../../ui/save-blob.ts'
import { inAlbum } from '../../texts/albums/adding-messages.ts'
import { actions as text, expiring, tagging, visibility } from '../../texts/dashboard-messages.ts'
import { copy, copyAs, gallery } from '../../texts/gallery-messages.ts'
import { notify } from '../../ui/toast/toast.ts'
import type { Action } from '../../ui/action.ts'

export type ImageDialog = 'share' | 'embed' | 'analysis' | 'views' | 'qr' | 'link' | 'sheet'

export interface ImageOperations {
  open: (image: Image) => void
  show: (dialog: ImageDialog, image: Image) => void
  /** How images were copied last. */
  copyChoice: CopyChoice
  /** @param done the toast for an address */
  copyImage: (image: Image, choice: CopyChoice, done: string) => Promise<boolean>
  extend: (images: readonly Image[]) => Promise<boolean>
  remove: (image: Image) => Promise<void>
  changeVisibility: (images: readonly Image[], visibility: Visibility) => Promise<void>
  tag: (images: readonly Image[]) => void
  keep: (images: readonly Image[]) => Promise<void>
  chooseExpiry: (images: readonly Image[]) => void
  addToAlbum: (images: readonly Image[]) => void
  /** Of the album on whose page they are. */
  ofAlbum?: AlbumOperations | undefined
}

export interface AlbumOperations {
  /** Whether the user may remove it from the album. */
  mayRemove: (image: Image) => boolean
  remove: (images: readonly Image[]) => Promise<void>
  useAsCover?: (image: Image) => Promise<void>
}

export function imageActions({
  open,
  show,
  extend,
  remove,
  changeVisibility,
  tag,
  addToAlbum,
  ofAlbum,
  keep,
  chooseExpiry,
  ...copying
}: ImageOperations): Record<'gallery' | 'lightbox', Action<Image>[]> {
  const view: Action<Image> = { id: 'view', label: text.view, icon: Eye, run: open }
  const shared: Action<Image>[] = [
    { id: 'share', label: text.share, icon: Share2, shortcut: 's', run: (image) => show('share', image) },
    { id: 'embed', label: gallery.embed, icon: CodeXml, shortcut: 'e', run: (image) => show('embed', image) },
    {
      id: 'analyze',
      label: text.analyze,
      icon: ChartNoAxesColumn,
      shortcut: 'a',
      run: (image) => show('analysis', image),
    },
    { id: 'link', label: text.link, icon: KeyRound, run: (image) => show('link', image) },
    { id: 'views', label: text.views, icon: ChartSpline, run: (image) => show('views', image) },
    { id: 'qr', label: text.qr, icon: QrCode, run: (image) => show('qr', image) },
    { id: 'download', label: text.download, icon: Download, shortcut: 'd', run: download },
    {
      id: 'extend',
      label: gallery.extend,
      icon: CalendarPlus,
      shortcut: 'l',
      isDisabled: isKept,
      run: async (image) => void (await extend([image])),
    },
    {
      id: 'keep',
      label: expiring.keep,
      icon: Pin,
      isFor: (image) => mayKeepImages() && !isKept(image),
      run: (image) => keep([image]),
    },
    { id: 'expiry', label: expiring.choose, icon: CalendarClock, run: (image) => chooseExpiry([image]) },
    {
      id: 'private',
      label: visibility.makePrivate,
      icon: Lock,
      isFor: (image) => !isPrivate(image),
      run: (image) => changeVisibility([image], 'private'),
    },
    {
      id: 'public',
      label: visibility.makePublic,
      icon: Globe,
      isFor: isPrivate,
      run: (image) => changeVisibility([image], 'public'),
    },
    { id: 'tags', label: tagging.action, icon: Tags, shortcut: 't', run: (image) => tag([image]) },
    { id: 'album', label: inAlbum.addTo, icon: FolderPlus, shortcut: 'b', run: (image) => addToAlbum([image]) },
    ...albumActions(ofAlbum),
    { id: 'delete', label: gallery.delete, icon: Trash2, shortcut: 'delete', isDanger: true, run: remove },
  ]
  const usable = shared.map((action) => (ofOthers.includes(action.id) ? action : ofOwn(action)))
  return {
    gallery: [view, copyAction(copying, copy.url), ...usable],
    // As many as fit on a small phone.
    lightbox: [copyAction(copying, text.imageUrlCopied), ...usable.filter(({ id }) => !onlyInMenus.includes(id))],
  }
}

const onlyInMenus = [
  'link',
  'qr',
  'views',
  'private',
  'public',
  'tags',
  'album',
  'keep',
  'expiry',
  'cover',
  'remove-from-album',
]

/** What can be done with images of another user. */
const ofOthers = ['cover', 'remove-from-album']

const ofOwn = (action: Action<Image>): Action<Image> => ({
  ...action,
  isFor: (image) => !isOthers(image) && (action.isFor?.(image) ?? true),
})

function albumActions({ remove, mayRemove, useAsCover }: Partial<AlbumOperations> = {}): Action<Image>[] {
  return [
    ...(useAsCover === undefined ? [] : [{ id: 'cover', label: inAlbum.cover, icon: ImageIcon, run: useAsCover }]),
    ...(remove === undefined
      ? []
      : [
          {
            id: 'remove-from-album',
            label: inAlbum.remove,
            icon: FolderMinus,
            shortcut: 'r',
            ...(mayRemove && { isFor: mayRemove }),
            run: (image: Image) => remove([image]),
          },
        ]),
  ]
}

type Copying = Pick<ImageOperations, 'copyChoice' | 'copyImage'>

function copyAction({ copyChoice, copyImage }: Copying, done: string): Action<Image> {
  const copyWith = (choice: CopyChoice) => async (image: Image) => void (await copyImage(image, choice, done))
  return {
    id: 'copy',
    label: copyAs.actions[copyChoice],
    icon: Link2,
    shortcut: 'c',
    run: copyWith(copyChoice),
    ways: copyChoices.map((choice) => ({
      id: choice,
      label: copyAs.choices[choice],
      isCurrent: choice === copyChoice,
      run: copyWith(choice),
    })),
  }
}

/** Fetches the bytes with the token, which takes no view, and then saves them. */
async function download({ id, original_name }: Image): Promise<void> {
  try {
    const response = await send({ method: 'GET', path: imageUrls.ownOriginal('', id) })
    saveBlob(await response.blob(), original_name)
  } catch (error) {
    notify.failure(text.downloadFailed, error)
  }
}
