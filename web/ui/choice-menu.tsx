import { Check, ChevronDown } from 'lucide-react'
import { useId, useRef, useState, type KeyboardEvent } from 'react'
import './choice-menu.css'

interface Choice {
  id: string
  label: string
  isCurrent: boolean
  run: () => void
}

interface Props {
  label: string
  choices: readonly Choice[]
  /** Of the button. */
  className: string
}

/** The second half of a split button: opens a menu with the other ways of the first half. */
export function ChoiceMenu({ label, choices, className }: Props) {
  const id = useId()
  const menu = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)

  function onKeyDown(event: KeyboardEvent): void {
    // The arrows of the lightbox and of the gallery behind it.
    event.stopPropagation()
    const items = [...(menu.current?.querySelectorAll<HTMLElement>('[role=menuitemradio]') ?? [])]
    const at = items.indexOf(document.activeElement as HTMLElement)
    const to = {
      ArrowDown: (at + 1) % items.length,
      ArrowUp: (at - 1 + items.length) % items.length,
      Home: 0,
      End: items.length - 1,
    }[event.key]
    if (event.key === 'Tab') menu.current?.hidePopover()
    if (to === undefined) return
    event.preventDefault()
    items[to]?.focus()
  }

  return (
    <>
      <button
        type="button"
        className={className}
        popoverTarget={id}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-label={label}
        title={label}
      >
        <ChevronDown className="size-4" aria-hidden />
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="menu"
        tabIndex={-1}
        aria-label={label}
        className="menu choice-menu"
        onToggle={({ newState }) => {
          setOpen(newState === 'open')
          if (newState === 'open') menu.current?.querySelector<HTMLElement>('[aria-checked=true]')?.focus()
        }}
        onKeyDown={onKeyDown}
      >
        {choices.map((choice) => (
          <button
            key={choice.id}
            type="button"
            role="menuitemradio"
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
