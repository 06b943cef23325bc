// The images in the trash: restored one by one or together, and deleted for good after a question.
import { Trash2, Undo2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { TrashedImage } from '../../../contract/endpoints/trash.ts'
import { deleteFromTrash, emptyTrash, restoreFromTrash, trashedImages } from '../../model/images/trash.ts'
import { shownName } from '../../model/images/stored-image.ts'
import { serverText } from '../../model/api-error.ts'
import { usePages } from '../../model/row-list.ts'
import { trashDays } from '../../model/site.ts'
import { selection as selectionTexts, undo as undoText } from '../../texts/dashboard-messages.ts'
import { trash } from '../../texts/trash-messages.ts'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx'
import { MoreRows } from '../../ui/list-panel/more-rows.tsx'
import { SelectionBar } from '../../ui/list-panel/selection-bar.tsx'
import { Skeletons } from '../../ui/list-panel/skeletons.tsx'
import { useSelection } from '../../ui/list-panel/use-selection.ts'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { SmallButton } from '../../ui/small-button.tsx'
import { notify } from '../../ui/toast/toast.ts'
import { TrashTile } from './trash-tile.tsx'
import '../../styles/lists.css'
import '../../styles/bars.css'
import './trash.css'

/** What the question before a deletion is about. */
type Asked = { images: readonly TrashedImage[] } | 'all' | null

const minuteMs = 60_000
const headingId = 'trash'

export function TrashList() {
  const { rows, total, isLoading, isReady, trouble, reload, nextPage } = usePages(trashedImages)
  const selection = useSelection(rows, ({ id }) => id)
  const [asked, setAsked] = useState<Asked>(null)
  const [isBusy, setBusy] = useState(false)
  const list = useRef<HTMLUListElement>(null)
  const lastAt = useRef(0)
  const nowMs = Math.ceil(Date.now() / minuteMs) * minuteMs

  async function restore(images: readonly TrashedImage[]): Promise<void> {
    lastAt.current = placeOf(list.current)
    setBusy(true)
    try {
      const count = await restoreFromTrash(images)
      if (count > 0) notify.success(undoText.done(count))
      if (count < images.length) notify.error(undoText.lost(images.length - count))
      selection.clear()
    } catch (error) {
      console.info(trash.restoreFailed, error)
      notify.error(serverText(error, trash.restoreFailed))
    }
    setBusy(false)
  }

  /** Returns the reason of a failure. */
  async function deleteAsked(): Promise<string | undefined> {
    lastAt.current = 0
    try {
      if (asked === 'all') await emptyTrash(rows)
      else if (asked !== null) await deleteFromTrash(asked.images)
      notify.success(asked === 'all' ? trash.emptied : trash.deleted(asked?.images.length ?? 0))
      selection.clear()
      return undefined
    } catch (error) {
      console.info(trash.deleteFailed, error)
      return serverText(error, trash.deleteFailed)
    }
  }

  // The pressed button is gone: the focus goes to the image that took the place, else to the title.
  useEffect(() => {
    if (isLoading || document.activeElement !== document.body || lastAt.current < 0) return
    const items = list.current?.children ?? []
    const next = items[Math.min(lastAt.current, items.length - 1)]?.querySelector('button')
    lastAt.current = -1
    ;(next ?? document.getElementById(headingId))?.focus()
  }, [rows, isLoading])

  // The last image of the loaded pages has left.
  const { exists, isLoading: isLoadingMore, trouble: moreTrouble, load } = nextPage
  const isDrained = rows.length === 0 && exists && !isLoadingMore && moreTrouble === undefined
  useEffect(() => {
    if (isDrained) void load()
  }, [isDrained]) // oxlint-disable-line react-hooks/exhaustive-deps -- `load` is a new function at each render

  return (
    <>
      <div className="trash-head">
        <div>
          <h1 id={headingId} tabIndex={-1} className="text-title">
            {trash.title}
          </h1>
          <p>{trash.text(trashDays)}</p>
        </div>
        {rows.length > 0 && (
          <button type="button" className="btn btn-quiet text-danger-text" onClick={() => setAsked('all')}>
            <Trash2 className="size-4" aria-hidden />
            {trash.empty}
          </button>
        )}
      </div>
      <section className="list-panel" aria-label={trash.list} aria-busy={isLoading}>
        <p role="status" className="text-dense text-text-2 tabular-nums empty:hidden">
          {isReady && rows.length > 0 && trash.count(total)}
        </p>
        {trouble !== undefined && (
          <LoadFailure title={trash.failed} {...trouble} onRetry={reload} isBar={rows.length > 0} />
        )}
        {rows.length === 0 && isLoading && (
          <div className="trash-tiles">
            <Skeletons count={6} className="card trash-tile" />
          </div>
        )}
        {rows.length === 0 && isReady && !exists && <Nothing />}
        <ul ref={list} className="trash-tiles" hidden={rows.length === 0}>
          {rows.map((image) => (
            <TrashTile
              key={image.id}
              image={image}
              nowMs={nowMs}
              isSelected={selection.keys.has(image.id)}
              isBusy={isBusy}
              onSelect={() => selection.toggle(image.id)}
              onRestore={() => void restore([image])}
              onDelete={() => setAsked({ images: [image] })}
            />
          ))}
        </ul>
        <MoreRows
          page={nextPage}
          failed={trash.moreFailed}
          shown={rows.length}
          total={total}
          onMore={() => (list.current?.children[rows.length]?.querySelector('input') ?? null)?.focus()}
        />
      </section>
      <SelectionBar label={selectionTexts.label} selection={selection}>
        <SmallButton
          icon={Undo2}
          text={isBusy ? trash.restoring : trash.restore}
          isOff={isBusy}
          onPress={() => void restore(selection.selected)}
        />
        <SmallButton
          icon={Trash2}
          text={trash.delete}
          isDanger
          isOff={isBusy}
          onPress={() => setAsked({ images: selection.selected })}
        />
      </SelectionBar>
      {asked !== null && (
        <ConfirmDialog
          title={asked === 'all' ? trash.emptyTitle : trash.deleteTitle(asked.images.length)}
          confirm={trash.delete}
          busy={trash.deleting}
          isDanger
          onConfirm={deleteAsked}
          onClose={() => setAsked(null)}
        >
          {asked !== 'all' && asked.images.length === 1 && asked.images[0] && (
            <p className="mb-2 font-semibold text-text wrap-anywhere">{shownName(asked.images[0])}</p>
          )}
          <p>{asked === 'all' ? trash.emptyText(total) : trash.deleteText}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

function Nothing() {
  return (
    <div className="card list-empty">
      <span>
        <Trash2 aria-hidden />
      </span>
      <p className="text-h3">{trash.noneYet}</p>
      <p>{trash.noneYetText(trashDays)}</p>
    </div>
  )
}

/** The tile that has the focus. */
const placeOf = (list: HTMLElement | null): number =>
  [...(list?.children ?? [])].findIndex((tile) => tile.contains(document.activeElement))
