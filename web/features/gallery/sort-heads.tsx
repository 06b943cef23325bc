import { ArrowDown, ArrowUp } from 'lucide-react'
import { clsx } from 'clsx'
import { unfilteredQuery, type GalleryQuery } from '../../model/images/gallery.ts'
import { columns } from '../../texts/gallery-messages.ts'

type Sort = GalleryQuery['sort']

interface Props {
  sort: Sort
  onSort: (sort: Sort) => void
  isReadOnly: boolean
}

/** The columns of a row, each with the orders that its head goes through. */
const heads: readonly (readonly [name: keyof typeof columns.names, className: string, orders: readonly Sort[]])[] = [
  ['name', 'row-head-name', ['name']],
  ['pixels', 'row-pixels', []],
  ['size', 'row-size', ['largest']],
  ['added', 'row-added', ['newest', 'oldest']],
  ['expires', 'row-expires', ['expiry']],
]
const descending: readonly Sort[] = ['newest', 'largest']

/** The heads of the list's columns, which sort it. On a phone the filters do. */
export function SortHeads({ sort, onSort, isReadOnly }: Props) {
  const Arrow = descending.includes(sort) ? ArrowDown : ArrowUp
  return (
    <div className={clsx('sort-heads', isReadOnly && 'sort-heads-read-only')} role="group" aria-label={columns.label}>
      <div className="row-facts">
        {heads.map(([name, className, orders]) => (
          <span key={name} className={className}>
            {orders.length === 0 && columns.names[name]}
            {orders.length > 0 && (
              <button
                type="button"
                className="sort-head"
                aria-pressed={orders.includes(sort)}
                onClick={() => onSort(nextOf(sort, orders))}
              >
                {columns.names[name]}
                {orders.includes(sort) && <Arrow className="size-3.5" aria-hidden />}
              </button>
            )}
          </span>
        ))}
      </div>
    </div>
  )
}

/** After its last order a column gives way to the default one. */
function nextOf(sort: Sort, orders: readonly Sort[]): Sort {
  const at = orders.indexOf(sort)
  return orders[at + 1] ?? (at < 0 ? (orders[0] ?? sort) : unfilteredQuery.sort)
}
