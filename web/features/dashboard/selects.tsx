import { imageSorts } from '../../../contract/plain/image-sorts.ts'
import type { GalleryQuery } from '../../model/images/gallery.ts'
import { toolbar } from '../../texts/dashboard-messages.ts'
import { Select } from '../../ui/forms/select.tsx'
import { types } from './gallery-address.ts'

interface Props {
  query: GalleryQuery
  onQuery: (query: GalleryQuery) => void
  /** Shows the labels above; otherwise they are for screen readers only. */
  hasLabels?: boolean
}

export function GallerySelects({ query, onQuery, hasLabels = false }: Props) {
  return (
    <>
      <Select
        label={toolbar.sort}
        hasLabel={hasLabels}
        isFilter
        value={query.sort}
        options={imageSorts.map((sort) => [sort, toolbar.sorts[sort]])}
        onChange={(sort) => onQuery({ ...query, sort })}
      />
      <Select
        label={toolbar.expiry}
        hasLabel={hasLabels}
        isFilter
        value={query.expires ?? ''}
        options={[
          ['', toolbar.anyExpiry],
          ['soon', toolbar.soon],
        ]}
        onChange={(expires) => onQuery({ ...query, expires: expires === '' ? undefined : expires })}
      />
      <Select
        label={toolbar.type}
        hasLabel={hasLabels}
        isFilter
        value={query.type ?? ''}
        options={[['', toolbar.anyType], ...types.map((type) => [type, toolbar.types[type]] as const)]}
        onChange={(type) => onQuery({ ...query, type: type === '' ? undefined : type })}
      />
    </>
  )
}
