// The table of endpoints: filtered by category and text, opened, copied as a cURL command.
import { SearchX } from 'lucide-react'
import { memo, useDeferredValue, useId, useMemo, useRef, type KeyboardEvent } from 'react'
import type { EndpointDoc } from '../../../../contract/derive/endpoint-doc.ts'
import { useIsBack } from '../../../model/history.ts'
import { areShortcutsOn } from '../../../model/shortcut-prefs.ts'
import { docs, endpoints } from '../../../texts/docs-messages.ts'
import { categories, type Category } from '../docs-address.ts'
import { Select } from '../../../ui/forms/select.tsx'
import { EmptyList } from '../../../ui/list-panel/empty-list.tsx'
import { ColumnHeads } from '../column-heads.tsx'
import { copyDocs } from '../copy-docs.ts'
import { EndpointRow, plainCurl } from './endpoint-row.tsx'
import { filterEndpoints } from './filter-endpoints.ts'
import type { DocsLocation } from '../use-docs-address.ts'

interface Props {
  catalogue: readonly EndpointDoc[]
  counts: Record<Category, number>
  place: DocsLocation
}

/** As many as a laptop's window shows. */
const firstRows = 12

export function Endpoints({ catalogue, counts, place }: Props) {
  const { category, q, go } = place
  const shown = useMemo(() => filterEndpoints(catalogue, category, q), [catalogue, category, q])
  const isBack = useIsBack()
  const all = useMemo(() => ({ shown, place }), [shown, place])
  // The first paint waits for the first rows only, and that of a pressed filter for none.
  const table = useDeferredValue(all, isBack ? all : { place, shown: shown.slice(0, firstRows) })
  const heading = useRef<HTMLHeadingElement>(null)
  const clear = () => {
    // The button disappears with the filter it clears.
    heading.current?.focus()
    go({ q: '' })
  }
  return (
    <>
      <div className="docs-head">
        <div className="flex flex-wrap items-baseline gap-x-3">
          <h2 ref={heading} className="text-h2" tabIndex={-1}>
            {category === 'all' ? docs.tabs.endpoints : docs.categories[category]}
          </h2>
          <p role="status" className="text-dense text-text-2 tabular-nums">
            {endpoints.found(shown.length, counts[category])}
          </p>
        </div>
        <CategoryFilters counts={counts} chosen={category} onChoose={(chosen) => go({ category: chosen })} />
      </div>
      {shown.length === 0 ? (
        <EmptyList icon={SearchX} title={endpoints.none}>
          <button type="button" className="btn btn-quiet mt-4" onClick={clear}>
            {endpoints.clear}
          </button>
        </EmptyList>
      ) : (
        <EndpointTable {...table} />
      )}
    </>
  )
}

interface FilterProps {
  counts: Record<Category, number>
  chosen: Category
  onChoose: (category: Category) => void
}

function CategoryFilters({ counts, chosen, onChoose }: FilterProps) {
  const label = (category: Category) => (category === 'all' ? endpoints.all : docs.categories[category])
  return (
    <div className="docs-filters">
      <Select
        label={endpoints.category}
        value={chosen}
        options={categories.map((category) => [category, `${label(category)} (${counts[category]})`] as const)}
        onChange={onChoose}
      />
      <div role="group" aria-label={endpoints.filters} className="docs-pills">
        {categories.map((category) => (
          <button
            key={category}
            type="button"
            className="docs-pill"
            aria-pressed={category === chosen}
            onClick={() => onChoose(category)}
          >
            {label(category)}
            <span className="docs-count">{counts[category]}</span>
          </button>
        ))}
      </div>
    </div>
  )
}

interface TableProps {
  shown: readonly EndpointDoc[]
  place: DocsLocation
}

const EndpointTable = memo(function EndpointTable({ shown, place }: TableProps) {
  const keysId = useId()
  const { columns } = endpoints

  /** Enter on a link is handled by the browser. */
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const row = (event.target as Element).closest('tr')
    const step = { ArrowDown: 'nextElementSibling', ArrowUp: 'previousElementSibling' }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      const next = row?.[step as 'nextElementSibling']
      next?.querySelector('a')?.focus()
    } else if (event.key.toLowerCase() === 'c' && areShortcutsOn()) {
      const endpoint = shown.find(({ id }) => id === row?.dataset['endpoint'])
      if (endpoint === undefined) return
      event.preventDefault()
      void copyDocs(plainCurl(endpoint), 'curl')
    }
  }

  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-redundant-roles -- see endpoint-row.tsx */}
      <table role="table" className="docs-table docs-endpoints" aria-describedby={keysId}>
        <ColumnHeads names={[columns.method, columns.path, columns.description, columns.auth, columns.actions]} />
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/no-redundant-roles -- keys for the links and buttons in it */}
        <tbody role="rowgroup" onKeyDown={onKeyDown}>
          {shown.map((endpoint) => (
            <EndpointRow key={endpoint.id} endpoint={endpoint} place={place} />
          ))}
        </tbody>
      </table>
      <p id={keysId} className="docs-keys">
        {endpoints.keys}
      </p>
    </>
  )
})
