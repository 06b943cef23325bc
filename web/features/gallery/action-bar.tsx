import { clsx } from 'clsx'
import { Ellipsis } from 'lucide-react'
import type { Image } from '../../../contract/endpoints/images.ts'
import { gallery } from '../../texts/gallery-messages.ts'
import type { Action } from '../../ui/action.ts'
import { Tooltip } from '../../ui/tooltip.tsx'

interface Props {
  image: Image
  actions: readonly Action<Image>[]
  /** Further actions are in the menu. */
  maxButtons: number
  onMore: (image: Image) => void
  /** Whether Tab reaches the buttons: in the focused tile. */
  isReachable: boolean
  className: string
  buttonClass: string
}

/** The actions for an image as icon buttons. */
export function ActionBar({ image, actions, maxButtons, onMore, isReachable, className, buttonClass }: Props) {
  const { shown, hasMore } = fitting(actions, maxButtons)
  const tabIndex = isReachable ? 0 : -1
  return (
    <div className={className} role="group" aria-label={gallery.actionsFor(image.original_name)}>
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
            aria-haspopup="dialog"
            tabIndex={tabIndex}
            onClick={() => onMore(image)}
          >
            <Ellipsis className="size-4 coarse:size-5" aria-hidden />
          </button>
        </Tooltip>
      )}
    </div>
  )
}

const keyName = (key: string | undefined) => (key?.length === 1 ? key.toUpperCase() : undefined)

/** The order in which actions are left out: first what the tile itself does, then the rarest. */
const leftOutOrder = ['view', 'qr', 'extend', 'analyze', 'embed', 'share', 'delete', 'copy']

/** The actions for at most `maxButtons` buttons, in their order; the last may be for the menu. */
export function fitting<A extends { id: string }>(actions: readonly A[], maxButtons: number) {
  const inTile = actions.filter(({ id }) => id !== 'view')
  if (inTile.length <= maxButtons) return { shown: inTile, hasMore: false }
  const byNeed = inTile.toSorted((a, b) => leftOutOrder.indexOf(b.id) - leftOutOrder.indexOf(a.id))
  const included = new Set(byNeed.slice(0, Math.max(0, maxButtons - 1)))
  return { shown: inTile.filter((action) => included.has(action)), hasMore: true }
}
