import { useEffect, useEffectEvent } from 'react'
import { setDatabaseMode, useDatabaseMode } from '../database-mode.ts'
import { areShortcutsOn } from '../../../model/shortcut-prefs.ts'

interface Options {
  page: number
  totalPages: number
  onPage: (page: number) => void
}

const typed = 'input:not([type=checkbox]), textarea, select, [contenteditable]'

/** Keys of the whole view, except while typing. */
export function useViewKeys({ page, totalPages, onPage }: Options): void {
  const mode = useDatabaseMode()

  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || !areShortcutsOn() || isElsewhere(event.target)) return
    if (!isAlone(event)) return
    const to = page + ({ '[': -1, ']': 1 }[event.key] ?? 0)
    if (to !== page && to >= 1 && to <= totalPages && !isCovered('dialog')) onPage(to)
    if (event.key.toLowerCase() === 'j') setDatabaseMode(mode === 'json' ? 'gui' : 'json')
  })

  useEffect(() => {
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}

/** The sheet of a document shows values like the table does; the pagination is behind it. */
const isElsewhere = (target: EventTarget | null) =>
  isCovered('dialog:not(.db-sheet)') || (target instanceof Element && target.closest(typed) !== null)

const isCovered = (by: string) => document.querySelector(`${by}[open]`) !== null

/** Many keyboards type brackets with AltGr or Option. */
const isAlone = (event: KeyboardEvent) =>
  event.getModifierState('AltGraph') ||
  (!event.ctrlKey && !event.metaKey && (!event.altKey || event.key === '[' || event.key === ']'))
