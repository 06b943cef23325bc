import { useEffect, useRef } from 'react'
import type { ComboOption } from './use-combobox.ts'
import './combobox.css'

interface Props<Option extends ComboOption> {
  id: string
  label: string
  options: readonly Option[]
  active: number
  isShown: boolean
  onChoose: (option: Option) => void
}

/** The options of a combobox, below its field. */
export function ComboboxList<Option extends ComboOption>({
  id,
  label,
  options,
  active,
  isShown,
  onChoose,
}: Props<Option>) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return (
    <div ref={list} id={id} role="listbox" aria-label={label} className="combo-list" hidden={!isShown}>
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
