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
        value={query.expires ?? listOf(query.q) ?? ''}
        options={[
          ['', toolbar.anyExpiry],
          ['soon', toolbar.soon],
          ['kept', toolbar.kept],
          ['unviewed', toolbar.unviewed],
        ]}
        onChange={(list) => onQuery({ ...query, ...chosen(query.q, list) })}
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

/** Lists that a term of the search is. */
const terms = { kept: 'expires:never', unviewed: 'viewed:>12m' } as const
type TermList = keyof typeof terms

const wordsOf = (q: string) => q.split(' ').filter((word) => word !== '')

const listOf = (q: string) => (Object.keys(terms) as TermList[]).find((list) => wordsOf(q).includes(terms[list]))

/** The query with the term of this list instead of that of another one. */
function chosen(q: string, list: '' | 'soon' | TermList): Pick<GalleryQuery, 'q' | 'expires'> {
  const before = listOf(q)
  // Others may have spaces in quotes, which stay as they are.
  const rest = before === undefined ? q : q.replace(terms[before], '').trim()
  if (list === '' || list === 'soon') return { q: rest, expires: list === 'soon' ? list : undefined }
  return { q: `${rest} ${terms[list]}`.trim(), expires: undefined }
}
