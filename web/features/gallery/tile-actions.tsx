import { clsx } from 'clsx'
import { Ellipsis } from 'lucide-react'
import type { Image } from '../../../contract/endpoints/images.ts'
import { gallery } from '../../texts/gallery-messages.ts'
import type { Action } from '../../ui/action.ts'
import type { Anchor } from '../../ui/menu/place-popover.ts'
import { Tooltip } from '../../ui/tooltip.tsx'
import { shownName } from '../../model/images/stored-image.ts'

interface Props {
  image: Image
  actions: readonly Action<Image>[]
  /** Further actions are in the menu. */
  maxButtons: number
  onMore: (image: Image, anchor: Anchor) => void
  /** Whether further actions are in a menu at the button, or in a sheet. */
  hasMenu: boolean
  /** Whether Tab reaches the buttons: in the focused tile. */
  isReachable: boolean
  className: string
  buttonClass: string
}

/** The actions for an image as icon buttons. */
export function TileActions({
  image,
  actions,
  maxButtons,
  onMore,
  hasMenu,
  isReachable,
  className,
  buttonClass,
}: Props) {
  const { shown, hasMore } = fitting(
    actions.filter(({ isFor }) => isFor?.(image) ?? true),
    maxButtons,
  )
  const tabIndex = isReachable ? 0 : -1
  return (
    <div className={className} role="group" aria-label={gallery.actionsFor(shownName(image))}>
      {shown.map((action) => (
        <Tooltip key={action.id} text={action.label} shortcut={keyName(action.shortcut)}>
          <button
            type="button"
            className={clsx('btn-icon', buttonClass, action.isDanger === true && 'tile-danger')}
            aria-label={action.label}
            tabIndex={tabIndex}
            disabled={action.isDisabled?.(image)}
            onClick={() => void action.run(image)}
          >
            <action.icon className="size-4 coarse:size-5" aria-hidden />
          </button>
        </Tooltip>
      ))}
      {hasMore && (
        <Tooltip text={gallery.moreActions}>
          <button
            type="button"
            className={clsx('btn-icon', buttonClass)}
            aria-label={gallery.moreActions}
            aria-haspopup={hasMenu ? 'menu' : 'dialog'}
            tabIndex={tabIndex}
            onClick={({ currentTarget }) => onMore(image, currentTarget.getBoundingClientRect())}
          >
            <Ellipsis className="size-4 coarse:size-5" aria-hidden />
          </button>
        </Tooltip>
      )}
    </div>
  )
}

const keyName = (key: string | undefined) => (key?.length === 1 ? key.toUpperCase() : undefined)

/** What people do with an image most often. Everything is in the menu. */
const buttonIds = ['copy', 'share']

/** The buttons over an image; where they do not fit, the menu alone. */
export function fitting<A extends { id: string }>(actions: readonly A[], maxButtons: number) {
  const buttons = actions.filter(({ id }) => buttonIds.includes(id))
  const shown = buttons.length < maxButtons ? buttons : []
  return { shown, hasMore: actions.length > shown.length }
}
