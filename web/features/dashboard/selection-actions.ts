// The actions on several images of the user, for the selection bar, the keys and the command palette. Those on one:
// image-actions.ts.
import {
  CalendarClock,
  CalendarPlus,
  FolderMinus,
  FolderPlus,
  Globe,
  Link2,
  Lock,
  Pin,
  Share2,
  Tags,
  Trash2,
  type LucideIcon,
} from 'lucide-react'
import type { Image } from '../../../contract/endpoints/images.ts'
import { isKept } from '../../model/images/expiry.ts'
import { mayKeepImages } from '../../model/images/may-keep.ts'
import { isOthers } from '../../model/images/own-image.ts'
import { isPrivate } from '../../model/images/visibility.ts'
import { inAlbum } from '../../texts/albums/adding-messages.ts'
import { actions, expiring, selection, tagging, visibility } from '../../texts/dashboard-messages.ts'
import { gallery } from '../../texts/gallery-messages.ts'
import { palette } from '../../texts/palette-messages.ts'
import type { ImageOperations } from './image-actions.ts'

export interface SelectionAction {
  id: string
  icon: LucideIcon
  /** On its button in the bar. Missing: it has none. */
  text?: string
  /** On the button while the action runs. */
  busy?: string
  /** Of the button, for screen readers. */
  name?: string
  opensDialog?: boolean
  isDanger?: boolean
  /** In the command palette. Missing: it is not there. */
  command?: string
  /** A KeyboardEvent.key in lower case. */
  shortcut?: string
  /** It would change none of them. */
  isOff?: boolean
  run: () => unknown
}

interface SelectionOperations extends Pick<
  ImageOperations,
  'extend' | 'changeVisibility' | 'tag' | 'keep' | 'chooseExpiry' | 'addToAlbum' | 'ofAlbum'
> {
  /** As images were copied last. */
  copy: (images: readonly Image[]) => Promise<boolean>
  share: (images: readonly Image[]) => void
  removeAll: (images: readonly Image[]) => Promise<void>
}

/** In the order of the bar. Of the images of others in an album, all can be copied, and some be removed from it. */
export function selectionActions(images: readonly Image[], operations: SelectionOperations): SelectionAction[] {
  const { copy, ofAlbum } = operations
  const own = images.filter((image) => !isOthers(image))
  const ofOwn = ownActions(own, operations)
  return [
    ...(ofAlbum === undefined ? [] : [removal(images.filter(ofAlbum.mayRemove), ofAlbum)]),
    { id: 'copy', icon: Link2, command: palette.copySome(images.length), shortcut: 'c', run: () => copy(images) },
    ...(images.length > 0 && own.length === 0 ? ofOwn.map(keyAlone) : ofOwn),
  ]
}

function removal(images: readonly Image[], { remove }: NonNullable<SelectionOperations['ofAlbum']>): SelectionAction {
  const action = {
    id: 'remove-from-album',
    icon: FolderMinus,
    text: inAlbum.removeShort,
    name: inAlbum.remove,
    shortcut: 'r',
    run: () => remove(images),
  }
  return images.length === 0 ? keyAlone(action) : action
}

/** Its key does nothing: without the action it would be that of the image with the focus, which is not selected. */
const keyAlone = ({ text: _, command: __, ...action }: SelectionAction): SelectionAction => ({ ...action, isOff: true })

function ownActions(images: readonly Image[], operations: SelectionOperations): SelectionAction[] {
  const { share, extend, changeVisibility, tag, keep, chooseExpiry, addToAlbum, removeAll } = operations
  const n = images.length
  const notKept = images.filter((image) => !isKept(image))
  const next = images.every(isPrivate) ? 'public' : 'private'
  const isMixed = next === 'private' && images.some(isPrivate)
  return [
    { id: 'share', icon: Share2, text: actions.share, opensDialog: true, shortcut: 's', run: () => share(images) },
    {
      id: 'extend',
      icon: CalendarPlus,
      text: gallery.extendSelected,
      command: palette.extendSome(n),
      shortcut: 'l',
      isOff: notKept.length === 0,
      run: () => extend(notKept),
    },
    ...(mayKeepImages()
      ? [
          {
            id: 'keep',
            icon: Pin,
            text: expiring.keep,
            command: palette.keepSome(n),
            isOff: notKept.length === 0,
            run: () => keep(notKept),
          },
        ]
      : []),
    { id: 'expiry', icon: CalendarClock, command: palette.expiryOfSome(n), run: () => chooseExpiry(images) },
    {
      id: 'visibility',
      icon: next === 'private' ? Lock : Globe,
      text: next === 'private' ? visibility.makePrivate : visibility.makePublic,
      command: palette.visibilityOfSome(n, next),
      run: () => changeVisibility(images, next),
    },
    ...(isMixed
      ? [
          {
            id: 'public',
            icon: Globe,
            command: palette.visibilityOfSome(n, 'public'),
            run: () => changeVisibility(images, 'public'),
          },
        ]
      : []),
    {
      id: 'tags',
      icon: Tags,
      text: tagging.action,
      opensDialog: true,
      command: palette.tagSome(n),
      shortcut: 't',
      run: () => tag(images),
    },
    {
      id: 'album',
      icon: FolderPlus,
      text: inAlbum.add,
      name: inAlbum.addTo,
      opensDialog: true,
      command: palette.addSomeToAlbum(n),
      shortcut: 'b',
      run: () => addToAlbum(images),
    },
    {
      id: 'delete',
      icon: Trash2,
      text: selection.delete,
      busy: selection.deleting,
      isDanger: true,
      command: palette.deleteSome(n),
      shortcut: 'delete',
      run: () => removeAll(images),
    },
  ]
}
