import { ArrowDown, ArrowUp } from 'lucide-react'
import { clsx } from 'clsx'
import type { GalleryQuery } from '../../model/images/gallery.ts'
import { columns } from '../../texts/gallery-messages.ts'

type Sort = GalleryQuery['sort']

interface Props {
  sort: Sort
  onSort: (sort: Sort) => void
  isReadOnly: boolean
}

/** The columns of a row, each with its order and the reverse. */
const heads: readonly (readonly [name: keyof typeof columns.names, className: string, orders: readonly Sort[]])[] = [
  ['name', 'row-head-name', ['name', 'name_desc']],
  ['dimensions', 'row-dimensions', []],
  ['size', 'row-size', ['largest', 'smallest']],
  ['views', 'row-views', ['views', 'views_asc']],
  ['added', 'row-added', ['newest', 'oldest']],
  ['expires', 'row-expires', ['expiry', 'expiry_desc']],
]
const descending: readonly Sort[] = ['newest', 'largest', 'views', 'name_desc', 'expiry_desc']

/** The heads of the list's columns, which sort it: a second click reverses the order. On a phone the filters do. */
export function SortHeads({ sort, onSort, isReadOnly }: Props) {
  const isDescending = descending.includes(sort)
  const Arrow = isDescending ? ArrowDown : ArrowUp
  return (
    <div className={clsx('sort-heads', isReadOnly && 'sort-heads-read-only')} role="table" aria-label={columns.label}>
      <div className="row-facts" role="row">
        {heads.map(([name, className, [first, reverse]]) => {
          const isSorted = sort === first || sort === reverse
          return (
            <span
              key={name}
              className={className}
              role="columnheader"
              aria-sort={isSorted ? (isDescending ? 'descending' : 'ascending') : undefined}
            >
              {first === undefined || reverse === undefined ? (
                columns.names[name]
              ) : (
                <button type="button" className="sort-head" onClick={() => onSort(sort === first ? reverse : first)}>
                  {columns.names[name]}
                  {isSorted && <Arrow className="size-3.5" aria-hidden />}
                </button>
              )}
            </span>
          )
        })}
      </div>
    </div>
  )
}
