import { useEffect, useRef, type KeyboardEvent } from 'react'
import '../styles/tabs.css'

interface Props<Id extends string> {
  /** The accessible name. */
  label: string
  /** `badge` is shown behind the label; its `name` follows the label for screen readers. */
  tabs: readonly { id: Id; label: string; badge?: { text: string; name: string } | undefined }[]
  selected: Id
  onSelect: (id: Id) => void
  /** Of the element with role=tabpanel that shows what is selected. */
  panelId: string
}

const steps: Record<string, (at: number, count: number) => number> = {
  ArrowRight: (at, count) => (at + 1) % count,
  ArrowLeft: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
}

/** Tabs in one row, which scrolls where it is too narrow. One stop for the Tab key; arrows, Home and End select. */
export function TabList<Id extends string>({ label, tabs, selected, onSelect, panelId }: Props<Id>) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const row = list.current
    const tab = row?.querySelector<HTMLElement>('[aria-selected=true]')
    if (!row || !tab) return
    const center = () => {
      // Sideways only: the page must not move under it.
      row.scrollLeft = tab.offsetLeft - (row.clientWidth - tab.offsetWidth) / 2
    }
    center()
    const resized = new ResizeObserver(center)
    resized.observe(row)
    // A badge that arrives makes its tab wider.
    for (const one of row.children) resized.observe(one)
    return () => resized.disconnect()
  }, [selected])

  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key]
    const next =
      step &&
      tabs[
        step(
          tabs.findIndex(({ id }) => id === selected),
          tabs.length,
        )
      ]
    if (next === undefined) return
    event.preventDefault()
    onSelect(next.id)
    document.getElementById(tabId(panelId, next.id))?.focus()
  }

  return (
    <div ref={list} role="tablist" aria-label={label} className="tab-list" onKeyDown={onKeyDown} tabIndex={-1}>
      {tabs.map((tab) => (
        <button
          key={tab.id}
          id={tabId(panelId, tab.id)}
          type="button"
          role="tab"
          className="tab"
          aria-selected={tab.id === selected}
          aria-controls={panelId}
          aria-label={tab.badge && `${tab.label}, ${tab.badge.name}`}
          tabIndex={tab.id === selected ? 0 : -1}
          onClick={() => onSelect(tab.id)}
        >
          {tab.label}
          {tab.badge !== undefined && <span className="badge-count ml-2">{tab.badge.text}</span>}
        </button>
      ))}
    </div>
  )
}

/** For the panel's aria-labelledby. */
export const tabId = (panelId: string, id: string) => `${panelId}-${id}`
