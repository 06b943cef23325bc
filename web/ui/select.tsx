import { ChevronDown } from 'lucide-react'
import { useId } from 'react'

interface Props<V extends string> {
  label: string
  /** Visible above the select; else the label is for screen readers only. */
  hasLabel?: boolean | undefined
  /** For use inside a form. */
  name?: string
  value: V
  options: readonly (readonly [value: V, text: string])[]
  onChange: (value: V) => void
}

/** A native select. Highlighted when the value is not the first option. */
export function Select<V extends string>({ label, hasLabel = false, name, value, options, onChange }: Props<V>) {
  const id = useId()
  return (
    <div className={hasLabel ? 'grid gap-1.5' : 'contents'}>
      <label htmlFor={id} className={hasLabel ? 'font-medium' : 'sr-only'}>
        {label}
      </label>
      <span className="select" data-set={value !== options[0]?.[0]}>
        <select
          id={id}
          name={name}
          value={value}
          onChange={(event) => onChange(options[event.target.selectedIndex]?.[0] ?? value)}
        >
          {options.map(([option, text]) => (
            <option key={option} value={option}>
              {text}
            </option>
          ))}
        </select>
        <ChevronDown className="size-4" aria-hidden />
      </span>
    </div>
  )
}
