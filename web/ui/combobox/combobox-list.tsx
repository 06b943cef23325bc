import { useEffect, useLayoutEffect, useRef } from 'react'
import { placePopover } from '../menu/place-popover.ts'
import type { ComboOption } from './use-combobox.ts'
import './combobox.css'

interface Props<Option extends ComboOption> {
  id: string
  label: string
  options: readonly Option[]
  active: number
  isShown: boolean
  /** Above a dialog, which would cut it: next to the element around it. */
  isFloating?: boolean
  onChoose: (option: Option) => void
}

/** The options of a combobox, below its field. */
export function ComboboxList<Option extends ComboOption>({
  id,
  label,
  options,
  active,
  isShown,
  isFloating = false,
  onChoose,
}: Props<Option>) {
  const list = useRef<HTMLDivElement>(null)
  // Without dependencies: the options and the field change its place.
  useLayoutEffect(() => {
    if (isFloating && isShown && list.current !== null) return float(list.current)
  })
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      aria-label={label}
      className="combo-list"
      popover={isFloating ? 'manual' : undefined}
      hidden={!isShown}
    >
      {options.map((option, at) => (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the field has the focus and the keys
        <div
          key={option.id}
          id={`${id}-${at}`}
          role="option"
          aria-selected={at === active}
          className="combo-option"
          // The field keeps the focus.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onChoose(option)}
        >
          {option.colour !== undefined && <span className="tag-dot" data-colour={option.colour} aria-hidden />}
          <span className="combo-label">{option.label}</span>
          {option.detail !== undefined && <span className="combo-detail">{option.detail}</span>}
        </div>
      ))}
    </div>
  )
}

/** Shows it below its parent, or above. @returns what ends following the parent */
function float(list: HTMLElement): () => void {
  const place = () => {
    const around = list.parentElement?.getBoundingClientRect()
    if (around === undefined) return
    list.style.width = `${around.width}px`
    placePopover(list, around)
  }
  if (!list.matches(':popover-open')) list.showPopover()
  place()
  addEventListener('scroll', place, { capture: true, passive: true })
  addEventListener('resize', place)
  return () => {
    removeEventListener('scroll', place, { capture: true })
    removeEventListener('resize', place)
  }
}
