// All tags of the user: renamed, coloured and deleted everywhere.
import { Check, Pencil, Tags as TagsIcon, Trash2 } from 'lucide-react'
import { useRef, useState, type CSSProperties, type RefObject } from 'react'
import { limits } from '../../../contract/plain/limits.ts'
import { type TagColour, tagColours } from '../../../contract/plain/tag-names.ts'
import { errorText } from '../../format/error-text.ts'
import { serverText } from '../../model/api-error.ts'
import { attempt } from '../../model/attempt.ts'
import { usePages } from '../../model/row-list.ts'
import { paths } from '../../paths.ts'
import { tagDeletion, tagList as texts, tagRename } from '../../texts/tags/tag-list-messages.ts'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx'
import { SearchField } from '../../ui/forms/search-field.tsx'
import { Link } from '../../ui/link.tsx'
import { ListPanel } from '../../ui/list-panel/list-panel.tsx'
import { Skeletons } from '../../ui/list-panel/skeletons.tsx'
import { moveInMenu } from '../../ui/menu/menu-keys.ts'
import { placePopover } from '../../ui/menu/place-popover.ts'
import { notify } from '../../ui/toast/toast.ts'
import { UndoBar } from '../../ui/undo/undo-bar.tsx'
import { type UndoableChange, useUndo } from '../../ui/undo/use-undo.ts'
import { RenameTagDialog } from './rename-tag-dialog.tsx'
import { type TagRow, tagRows } from './tag-rows.ts'
import { colourTag, deleteTag, imagesWith, rememberTag, restoreTag, tagList } from './tags.ts'
import '../../styles/bars.css'
import '../../ui/combobox/combobox.css'
import './tags.css'

/** As long as the page is open: nothing on the server ends it. */
const undoMs = 10 * 60_000

type Opened = { dialog: 'rename' | 'delete'; tag: string }

export function TagList() {
  const [q, setQuery] = useState('')
  const list = usePages(tagList(q))
  const [opened, setOpened] = useState<Opened>()
  const { add, ...changes } = useUndo(undoMs)
  const menu = useRef<HTMLDivElement>(null)
  const [coloured, setColoured] = useState<TagRow>()
  const rows = tagRows(list.rows, q === '')

  /** Asks only where it cannot be undone. */
  async function remove(tag: string): Promise<void> {
    try {
      const before = await rememberTag(tag)
      if (before === undefined) return setOpened({ dialog: 'delete', tag })
      const images = await deleteTag(tag)
      document.getElementById('tags')?.focus()
      add(undoableChange(tagDeletion.deleted(images), tag, () => restoreTag(before)))
    } catch (error) {
      notify.failure(errorText(error, tagDeletion.failed), error)
    }
  }

  const removeForGood = (tag: string) =>
    attempt(async () => void notify.success(tagDeletion.deleted(await deleteTag(tag))), tagDeletion.failed)

  async function colour(next: TagColour | null): Promise<void> {
    menu.current?.hidePopover()
    if (coloured === undefined || coloured.colour === next) return
    try {
      await colourTag(coloured.name, next)
    } catch (error) {
      notify.failure(serverText(error, texts.colourFailed), error)
    }
  }

  function openColours(row: TagRow, button: HTMLElement): void {
    setColoured(row)
    const { current } = menu
    if (current === null) return
    current.showPopover()
    placePopover(current, button.getBoundingClientRect())
    current.querySelector<HTMLElement>('[role=menuitemradio]')?.focus()
  }

  const close = () => setOpened(undefined)
  return (
    <>
      <ListPanel
        id="tags"
        icon={TagsIcon}
        texts={texts}
        list={list}
        isUntitled
        filters={
          (list.rows.length > 0 || q !== '') && (
            <SearchField
              className="tags-search"
              label={texts.search}
              maxLength={limits.tags.maxLength}
              text={q}
              onSearch={setQuery}
            />
          )
        }
        onClear={q === '' ? undefined : () => setQuery('')}
        skeletons={<Skeletons count={6} className="h-13" />}
        rowHead=".tag-row-name"
        first={
          <Link to={paths.dashboard} className="btn btn-quiet mt-4">
            {texts.toImages}
          </Link>
        }
      >
        <ul className="tag-rows" aria-label={texts.list}>
          {rows.map((row) => (
            <Row
              key={row.name}
              row={row}
              onColour={(button) => openColours(row, button)}
              onRename={() => setOpened({ dialog: 'rename', tag: row.name })}
              onDelete={() => void remove(row.name)}
            />
          ))}
        </ul>
      </ListPanel>
      <ColourMenu ref={menu} row={coloured} onChoose={(next) => void colour(next)} />
      <div className="bars">
        <UndoBar of={changes} />
      </div>
      {opened?.dialog === 'rename' && (
        <RenameTagDialog
          tag={opened.tag}
          onDone={(text, restore) =>
            restore === undefined ? notify.success(text) : add(undoableChange(text, undefined, restore))
          }
          onClose={close}
        />
      )}
      {opened?.dialog === 'delete' && (
        <ConfirmDialog
          title={tagDeletion.title}
          confirm={tagDeletion.confirm}
          busy={tagDeletion.busy}
          isDanger
          onConfirm={() => removeForGood(opened.tag)}
          onClose={close}
        >
          <p className="wrap-anywhere">{tagDeletion.text(opened.tag)}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

function undoableChange(text: string, name: string | undefined, restore: () => Promise<unknown>): UndoableChange {
  const change: UndoableChange = {
    text,
    name,
    async undo() {
      try {
        await restore()
        notify.success(tagRename.undone)
        return undefined
      } catch (error) {
        notify.failure(errorText(error, tagRename.undoFailed), error)
        return change
      }
    },
  }
  return change
}

interface RowProps {
  row: TagRow
  onColour: (button: HTMLElement) => void
  onRename: () => void
  onDelete: () => void
}

function Row({ row, onColour, onRename, onDelete }: RowProps) {
  const { name, images, colour, depth } = row
  const at = name.lastIndexOf('/') + 1
  return (
    <li className="tag-row" style={{ '--depth': depth } as CSSProperties}>
      <button
        type="button"
        className="btn-icon btn-icon-sm"
        aria-haspopup="menu"
        aria-label={texts.colour(name, colour === null ? texts.noColour : texts.colours[colour])}
        onClick={({ currentTarget }) => onColour(currentTarget)}
      >
        <span className="tag-dot tag-dot-large" data-colour={colour ?? undefined} aria-hidden />
      </button>
      <Link className="tag-row-name" to={imagesWith(name)} aria-label={texts.show(name)} title={name}>
        <span className="tag-row-text">
          {at > 0 && <span className="text-text-3">{name.slice(0, at)}</span>}
          {name.slice(at)}
        </span>
        <span className="tag-row-count">{images === 0 ? texts.onlyBelow : texts.images(images)}</span>
      </Link>
      <button
        type="button"
        className="btn-icon btn-icon-sm"
        aria-label={texts.rename(name)}
        aria-haspopup="dialog"
        onClick={onRename}
      >
        <Pencil className="size-4" aria-hidden />
      </button>
      <button
        type="button"
        className="btn-icon btn-icon-sm btn-icon-danger"
        aria-label={texts.delete(name)}
        onClick={onDelete}
      >
        <Trash2 className="size-4" aria-hidden />
      </button>
    </li>
  )
}

interface ColourMenuProps {
  ref: RefObject<HTMLDivElement | null>
  row: TagRow | undefined
  onChoose: (colour: TagColour | null) => void
}

/** One for all rows: there may be thousands. */
const ColourMenu = ({ ref, row, onChoose }: ColourMenuProps) => (
  <div
    ref={ref}
    popover="auto"
    role="menu"
    tabIndex={-1}
    aria-label={texts.colourMenu(row?.name ?? '')}
    className="menu tag-colours"
    onKeyDown={(event) => {
      event.stopPropagation()
      if (event.key === 'Tab') ref.current?.hidePopover()
      if (moveInMenu(event.currentTarget, event.key)) event.preventDefault()
    }}
  >
    {[null, ...tagColours].map((colour) => (
      <button
        key={colour}
        type="button"
        role="menuitemradio"
        aria-checked={row?.colour === colour}
        tabIndex={-1}
        className="btn btn-ghost w-full justify-start px-3"
        onClick={() => onChoose(colour)}
      >
        <span className="tag-dot tag-dot-large" data-colour={colour ?? undefined} aria-hidden />
        <span className="flex-1 text-left">{colour === null ? texts.noColour : texts.colours[colour]}</span>
        {row?.colour === colour && <Check className="size-4 text-accent-text" aria-hidden />}
      </button>
    ))}
  </div>
)
