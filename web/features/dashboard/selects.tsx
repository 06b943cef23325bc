import type { GalleryQuery } from '../../model/images/gallery.ts'
import { setLinkKind, useLinkKind } from '../../model/link-choice.ts'
import { toolbar } from '../../texts/dashboard-messages.ts'
import { links } from '../../texts/gallery-messages.ts'
import { Select } from '../../ui/forms/select.tsx'
import { sorts, types } from './gallery-address.ts'

interface Props {
  query: GalleryQuery
  onQuery: (query: GalleryQuery) => void
  /** Shows the labels above; otherwise they are for screen readers only. */
  hasLabels?: boolean
}

export function GallerySelects({ query, onQuery, hasLabels = false }: Props) {
  const linkKind = useLinkKind()
  return (
    <>
      <Select
        label={toolbar.sort}
        hasLabel={hasLabels}
        value={query.sort}
        options={sorts.map((sort) => [sort, toolbar.sorts[sort]])}
        onChange={(sort) => onQuery({ ...query, sort })}
      />
      <Select
        label={toolbar.expiry}
        hasLabel={hasLabels}
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
        value={query.type ?? ''}
        options={[['', toolbar.anyType], ...types.map((type) => [type, toolbar.types[type]] as const)]}
        onChange={(type) => onQuery({ ...query, type: type === '' ? undefined : type })}
      />
      <Select
        label={links.label}
        hasLabel={hasLabels}
        value={linkKind}
        options={[
          ['direct', links.direct],
          ['share', links.share],
        ]}
        onChange={setLinkKind}
      />
    </>
  )
}
