import { ChevronDown } from 'lucide-react'
import { useId } from 'react'
import type { GalleryQuery } from '../../data/gallery.ts'
import { toolbar } from '../../notify/dashboard-messages.ts'
import { sorts, types } from './address.ts'

interface Props {
  query: GalleryQuery
  onQuery: (query: GalleryQuery) => void
  /** Above it, where there is room; else the label is for screen readers. */
  hasLabel?: boolean
}

export function SortSelect({ query, onQuery, hasLabel }: Props) {
  return (
    <Select
      label={toolbar.sort}
      hasLabel={hasLabel}
      value={query.sort}
      options={sorts.map((sort) => [sort, toolbar.sorts[sort]])}
      onChange={(sort) => onQuery({ ...query, sort })}
    />
  )
}

export function ExpiryFilter({ query, onQuery, hasLabel }: Props) {
  return (
    <Select
      label={toolbar.expiry}
      hasLabel={hasLabel}
      value={query.expires ?? ''}
      options={[
        ['', toolbar.anyExpiry],
        ['soon', toolbar.soon],
      ]}
      onChange={(expires) => onQuery({ ...query, expires: expires === '' ? undefined : expires })}
    />
  )
}

export function TypeFilter({ query, onQuery, hasLabel }: Props) {
  return (
    <Select
      label={toolbar.type}
      hasLabel={hasLabel}
      value={query.type ?? ''}
      options={[['', toolbar.anyType], ...types.map((type) => [type, toolbar.types[type]] as const)]}
      onChange={(type) => onQuery({ ...query, type: type === '' ? undefined : type })}
    />
  )
}

interface SelectProps<V extends string> {
  label: string
  hasLabel: boolean | undefined
  value: V
  options: readonly (readonly [value: V, text: string])[]
  onChange: (value: V) => void
}

function Select<V extends string>({ label, hasLabel = false, value, options, onChange }: SelectProps<V>) {
  const id = useId()
  return (
    <div className={hasLabel ? 'grid gap-1.5' : 'contents'}>
      <label htmlFor={id} className={hasLabel ? 'font-medium' : 'sr-only'}>
        {label}
      </label>
      <span className="select" data-set={value !== options[0]?.[0]}>
        <select id={id} value={value} onChange={(event) => onChange(options[event.target.selectedIndex]?.[0] ?? value)}>
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
