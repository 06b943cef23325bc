// The command palette: one field that finds every page, command and image.
import { ImageIcon, Search } from 'lucide-react'
import { useCallback, useDeferredValue, useLayoutEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { withKey } from '../../../contract/derive/client.ts'
import { releaseKeys } from '../../model/held-keys.ts'
import { shownName } from '../../model/images/stored-image.ts'
import { readStored, writeStored } from '../../model/browser-storage.ts'
import { palette } from '../../texts/palette-messages.ts'
import { type Command, filterCommands, withUsed } from './rank-commands.ts'
import { PaletteList } from './palette-list.tsx'
import { useImageSearch } from './use-image-search.ts'
import './palette.css'

interface Props {
  commands: readonly Command[]
  /** Opens one of the images; without it, images are not searched. */
  onImage?: (id: string) => void
  /** Searches them where they are listed. */
  onSearch: (typed: string) => void
  onClose: () => void
}

export function Palette({ commands, onImage, onSearch, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const [used] = useState(usedIds)
  const listId = useId()
  const { status, images } = useImageSearch(typed, onImage !== undefined)
  const choose = useCallback((command: Command): void => {
    // First, so that the focus is back where it was before the command moves it.
    dialog.current?.close()
    rememberUsed(command)
    command.run()
  }, [])

  // Before the browser hears another key: what was typed until now is in the field, the rest goes there by itself.
  useLayoutEffect(() => {
    if (dialog.current === null || dialog.current.open) return
    const { text, isEntered } = releaseKeys()
    // A dialog that was asked for before has opened meanwhile.
    if (document.querySelector('dialog[open]') !== null) return onClose()
    dialog.current.showModal()
    setTyped(text)
    const [first] = filterCommands(commands, text)
    if (isEntered && first !== undefined) choose(first)
  }, []) // oxlint-disable-line react-hooks/exhaustive-deps -- once, when it opens

  const name = typed.trim()
  const found = images.map((image): Command => ({
    id: image.id,
    group: name === '' ? 'recent' : 'images',
    label: shownName(image),
    Icon: ImageIcon,
    // Showing an image with limited views would take one.
    ...(image.views_left === null && { thumbnail: withKey(image.thumbnailUrl, image.view_key) }),
    run: () => onImage?.(image.id),
  }))
  const search: Command = {
    id: 'search',
    group: 'images',
    label: palette.searchFor(name),
    Icon: Search,
    run: () => onSearch(name),
  }
  const shown = [
    ...filterCommands(name === '' ? withUsed(commands, used) : commands, typed),
    ...(status === 'failed' ? [] : found),
    ...(name === '' || onImage === undefined ? [] : [search]),
  ]
  const active = Math.min(at, shown.length - 1)
  // A typed letter is painted before the rows that it finds.
  const listed = useDeferredValue(shown)

  const moves: Record<string, number> = {
    ArrowDown: (active + 1) % shown.length,
    ArrowUp: (active - 1 + shown.length) % shown.length,
    PageDown: Math.min(active + 8, shown.length - 1),
    PageUp: Math.max(active - 8, 0),
  }
  function press(event: KeyboardEvent): void {
    // Enter ends the composition of a word by an input method. And right after it is closed, keys still come here that are the page's.
    if (event.nativeEvent.isComposing || dialog.current?.open !== true) return
    const to = moves[event.key]
    const command = shown[active]
    if (event.key === 'Enter' && command !== undefined) choose(command)
    else if ((event.ctrlKey || event.metaKey) && event.key === 'k') dialog.current?.close()
    else if (to !== undefined && shown.length > 0) setAt(to)
    else return
    event.preventDefault()
  }

  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- Escape closes it for keyboards
    <dialog
      ref={dialog}
      className="dialog dialog-small palette"
      aria-label={palette.title}
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && dialog.current.close()}
    >
      <div className="flex items-center gap-3 border-b border-border px-4">
        <Search className="size-5 shrink-0 text-text-3" aria-hidden />
        <input
          className="palette-field"
          role="combobox"
          aria-label={palette.label}
          aria-expanded={shown.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          {...(shown.length > 0 && { 'aria-activedescendant': `${listId}-${active}` })}
          placeholder={onImage === undefined ? palette.placeholderGuest : palette.placeholderUser}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          enterKeyHint="go"
          autoFocus
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value)
            setAt(0)
          }}
          onKeyDown={press}
        />
        <button type="button" className="btn btn-ghost btn-sm -mr-2" onClick={() => dialog.current?.close()}>
          {palette.close}
        </button>
      </div>
      <PaletteList id={listId} commands={listed} active={active} onChoose={choose} />
      <p role="status" className="palette-status">
        {statusText(status, shown.length, shown.length - (shown.includes(search) ? 1 : 0))}
      </p>
    </dialog>
  )
}

function statusText(status: ReturnType<typeof useImageSearch>['status'], rows: number, results: number): string {
  if (status === 'searching') return palette.searching
  if (status === 'failed') return palette.searchFailed
  return rows === 0 ? palette.none : palette.found(results)
}

const usedKey = 'palette_used'
const maxUsed = 3

/** The commands that were used last in this browser. */
const usedIds = (): readonly string[] => readStored(usedKey)?.split('\n') ?? []

/** Actions on images are about what is selected now: they are not kept. */
function rememberUsed({ id, group }: Command): void {
  if (group === 'selection' || group === 'recent' || group === 'images') return
  writeStored(usedKey, [id, ...usedIds().filter((used) => used !== id)].slice(0, maxUsed).join('\n'))
}
