import type { GalleryQuery } from '../../data/gallery.ts'
import { toolbar } from '../../texts/dashboard-messages.ts'
import { Select } from '../../ui/select.tsx'
import { sorts, types } from './gallery-address.ts'

interface Props {
  query: GalleryQuery
  onQuery: (query: GalleryQuery) => void
  /** Shows the label above; otherwise it is for screen readers only. */
  hasLabel?: boolean | undefined
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
