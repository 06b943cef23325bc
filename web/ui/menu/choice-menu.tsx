import { Check, ChevronDown } from 'lucide-react'
import { useId, useRef, useState, type KeyboardEvent, type ReactNode, type ToggleEvent } from 'react'
import { moveInMenu } from './menu-keys.ts'
import { type Anchor, placePopover } from './place-popover.ts'
import './choice-menu.css'

interface Choice {
  id: string
  label: string
  /** Missing: an action rather than one of several ways. */
  isCurrent?: boolean
  run: () => void
}

interface Props {
  label: string
  choices: readonly Choice[]
  /** Of the button. */
  className: string
  /** On the button. */
  icon?: ReactNode
}

const chevron = <ChevronDown className="size-4" aria-hidden />
const gapPx = 6
const withGap = ({ left, right, top, bottom }: Anchor): Anchor => ({
  left,
  right,
  top: top - gapPx,
  bottom: bottom + gapPx,
})

/** The second half of a split button, or the last of several: opens a menu with other ways, or further actions. */
export function ChoiceMenu({ label, choices, className, icon = chevron }: Props) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    // The arrows of the lightbox and of the gallery behind it.
    event.stopPropagation()
    if (event.key === 'Tab') menu.current?.hidePopover()
    if (moveInMenu(event.currentTarget, event.key)) event.preventDefault()
  }

  function onToggle({ newState, currentTarget }: ToggleEvent<HTMLElement>): void {
    setOpen(newState === 'open')
    if (newState !== 'open') return
    const split = button.current?.parentElement
    if (split) placePopover(currentTarget, withGap(split.getBoundingClientRect()))
    currentTarget.querySelector<HTMLElement>('[aria-checked=true], [role=menuitem]')?.focus()
  }

  return (
    <>
      <button
        ref={button}
        type="button"
        className={className}
        popoverTarget={id}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-label={label}
        title={label}
      >
        {icon}
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="menu"
        tabIndex={-1}
        aria-label={label}
        className="menu choice-menu"
        onToggle={onToggle}
        onKeyDown={onKeyDown}
      >
        {choices.map((choice) => (
          <button
            key={choice.id}
            type="button"
            role={choice.isCurrent === undefined ? 'menuitem' : 'menuitemradio'}
            aria-checked={choice.isCurrent}
            tabIndex={-1}
            className="btn btn-ghost w-full justify-start px-3"
            onClick={() => {
              // First, so that the focus is back before a toast or a dialog takes it.
              menu.current?.hidePopover()
              choice.run()
            }}
          >
            <span className="flex-1 text-left">{choice.label}</span>
            {choice.isCurrent && <Check className="size-4 text-accent-text" aria-hidden />}
          </button>
        ))}
      </div>
    </>
  )
}
