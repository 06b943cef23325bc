import { Search } from 'lucide-react'
import { useDeferredValue, useEffect, useId, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { useCollections } from '../documents.ts'
import { database } from '../../../texts/database-view/database-messages.ts'
import { searchOf } from '../database-address.ts'
import { CollectionRow } from './collection-row.tsx'
import { loadCollectionsOrReport } from '../load-or-report.ts'
import { Reload } from '../reload.tsx'
import { useDatabaseAddress } from '../use-database-address.ts'

interface Props {
  selected: string | undefined
  /** Must be stable: rows with unchanged props are not rendered again. */
  onDelete: (name: string) => void
}

/** From this number on the list has a filter field. */
const manyCollections = 10

/** The collections as a list with one tab stop; up, down, Home and End move the focus. */
export function CollectionList({ selected, onDelete }: Props) {
  const { status, names, system } = useCollections()
  const { collection, openCollection } = useDatabaseAddress()
  const [typed, setTyped] = useState('')
  const wanted = useDeferredValue(typed)
  /** The row that has the focus or had it last. */
  const [current, setCurrent] = useState<string>()
  const nav = useRef<HTMLElement>(null)
  const isFiltered = names.length > manyCollections
  const shown = useMemo(() => (isFiltered ? filterCollections(names, wanted) : names), [names, wanted, isFiltered])
  const systemNames = useMemo(() => new Set(system), [system])
  const stop = [current, selected, shown[0]].find((name) => name !== undefined && shown.includes(name))

  // The collection of a link can be far down in a list of hundreds.
  const isListed = selected !== undefined && shown.includes(selected)
  useEffect(() => {
    if (isListed) bringIntoView(nav.current)
  }, [isListed, selected])

  function onKeyDown(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const links = [...(nav.current?.querySelectorAll<HTMLElement>('a') ?? [])]
    const at = links.findIndex((link) => link.parentElement?.contains(document.activeElement))
    const moves: Partial<Record<string, number>> = {
      ArrowUp: at - 1,
      ArrowDown: at + 1,
      Home: 0,
      End: links.length - 1,
    }
    const to = moves[event.key]
    if (to === undefined || at === -1) return
    event.preventDefault()
    links[Math.min(Math.max(to, 0), links.length - 1)]?.focus()
  }

  if (names.length === 0 && status === 'loading') return <Skeleton />
  // Where no documents are shown, there is more room for it in their place.
  if (names.length === 0 && status === 'failed')
    return collection === undefined ? null : (
      <Reload title={database.notLoaded.collections} load={loadCollectionsOrReport} isBar />
    )
  return (
    <>
      {isFiltered && <Filter typed={typed} onType={setTyped} onDown={() => nav.current?.querySelector('a')?.focus()} />}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the links in it are operated */}
      <nav ref={nav} aria-labelledby="collections" onKeyDown={onKeyDown}>
        <ul className="db-collections">
          {shown.map((name) => (
            <CollectionRow
              key={name}
              name={name}
              href={location.pathname + searchOf({ collection: name, page: 1, documentId: undefined })}
              isSelected={name === selected}
              isStop={name === stop}
              canDelete={!systemNames.has(name)}
              onOpen={openCollection}
              onFocus={setCurrent}
              onDelete={onDelete}
            />
          ))}
        </ul>
      </nav>
      <p role="status" className="px-3 py-2 text-dense text-text-2 empty:hidden">
        {names.length === 0 && status === 'ready' && database.noCollections}
        {names.length > 0 && shown.length === 0 && database.noMatch}
      </p>
    </>
  )
}

/** Scrolls the list only; the page does not move. */
function bringIntoView(list: HTMLElement | null): void {
  const link = list?.querySelector('[aria-current]')
  if (!list || !link) return
  const [shown, at] = [list.getBoundingClientRect(), link.getBoundingClientRect()]
  const bottom = Math.min(shown.bottom, innerHeight)
  if (at.top < shown.top || at.bottom > bottom) list.scrollTop += at.top - (shown.top + bottom) / 2
}

function Filter({ typed, onType, onDown }: { typed: string; onType: (text: string) => void; onDown: () => void }) {
  const id = useId()
  return (
    <div className="relative">
      <label htmlFor={id} className="sr-only">
        {database.filter}
      </label>
      <Search
        className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-text-3"
        aria-hidden
      />
      <input
        id={id}
        type="search"
        className="field pl-8.5"
        placeholder={database.filter}
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={({ target }) => onType(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return
          event.preventDefault()
          onDown()
        }}
      />
    </div>
  )
}

function Skeleton() {
  return (
    <div role="status" className="grid gap-2 py-1">
      <span className="sr-only">{database.loading}</span>
      {[70, 45, 60, 52, 66, 40].map((percent) => (
        <div key={percent} className="skeleton h-8" style={{ width: `${percent}%` }} />
      ))}
    </div>
  )
}

/** The names that contain the typed text, ignoring case and surrounding spaces. */
export function filterCollections(names: readonly string[], typed: string): readonly string[] {
  const wanted = typed.trim().toLowerCase()
  return wanted === '' ? names : names.filter((name) => name.toLowerCase().includes(wanted))
}
