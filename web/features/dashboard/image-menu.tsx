import { clsx } from 'clsx'
import { Fragment, useEffect, useRef, type KeyboardEvent } from 'react'
import type { Image } from '../../../contract/endpoints/images.ts'
import { gallery } from '../../texts/gallery-messages.ts'
import type { Action } from '../../ui/action.ts'
import { menuItems, moveInMenu } from '../../ui/menu/menu-keys.ts'
import { type Anchor, placePopover } from '../../ui/menu/place-popover.ts'
import { shownName } from '../../model/images/stored-image.ts'

interface Props {
  image: Image
  actions: readonly Action<Image>[]
  /** The button or the pointer that opened it. */
  anchor: Anchor
  onClose: () => void
}

/** Each begins a group. */
const groupStarts = ['analyze', 'extend', 'delete']

/** All actions for an image in a menu next to the pointer, open while mounted. */
export function ImageMenu({ image, actions, anchor, onClose }: Props) {
  const menu = useRef<HTMLDivElement>(null)
  const opener = useRef<Element>(null)

  useEffect(() => {
    const element = menu.current
    if (element === null || element.matches(':popover-open')) return
    opener.current = document.activeElement
    element.showPopover()
    placePopover(element, anchor)
    menuItems(element)[0]?.focus({ preventScroll: true })
  }, [anchor])

  function run(action: Action<Image>): void {
    // Closed first, so that a dialog restores the focus to the opener.
    menu.current?.hidePopover()
    void action.run(image)
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    const action = actions.find(({ shortcut }) => shortcut === event.key.toLowerCase())
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey
    if (event.key === 'Tab') menu.current?.hidePopover()
    else if (action !== undefined && isPlain && action.isDisabled?.(image) !== true) run(action)
    else if (!moveInMenu(event.currentTarget, event.key)) return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <div
      ref={menu}
      popover="auto"
      role="menu"
      tabIndex={-1}
      aria-label={gallery.actionsFor(shownName(image))}
      className="menu image-menu"
      onKeyDown={onKeyDown}
      onContextMenu={(event) => event.preventDefault()}
      onToggle={({ newState }) => {
        if (newState !== 'closed') return
        returnFocus(opener.current)
        onClose()
      }}
    >
      {actions.map((action) => (
        <Fragment key={action.id}>
          {groupStarts.includes(action.id) && <hr className="image-menu-line" />}
          <button
            type="button"
            role="menuitem"
            tabIndex={-1}
            className={clsx('image-menu-item', action.isDanger === true && 'text-danger-text')}
            disabled={action.isDisabled?.(image)}
            onClick={() => run(action)}
            // The item under the pointer is the one that Enter chooses.
            onPointerMove={({ currentTarget }) => currentTarget.focus({ preventScroll: true })}
          >
            <action.icon className="size-4 shrink-0" aria-hidden />
            <span className="flex-1">{action.label}</span>
            {action.shortcut !== undefined && (
              <kbd className="image-menu-key" aria-hidden>
                {keyName(action.shortcut)}
              </kbd>
            )}
          </button>
        </Fragment>
      ))}
    </div>
  )
}

const keyName = (key: string) => (key.length === 1 ? key.toUpperCase() : key === 'delete' ? 'Del' : key)

/** A click next to the menu takes the focus: the opener must lose it once more, so that its tile notices. */
function returnFocus(opener: Element | null): void {
  const other = document.activeElement
  if (other === opener || !(opener instanceof HTMLElement)) return
  opener.focus({ preventScroll: true })
  if (other instanceof HTMLElement && other !== document.body && other.closest('[role=menu]') === null)
    other.focus({ preventScroll: true })
}
