// The images in the trash: restored one by one or together, and deleted for good after a question.
import { Trash2, Undo2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { Image } from '../../../contract/endpoints/images.ts'
import type { TrashedImage } from '../../../contract/endpoints/trash.ts'
import { restoreFromTrash, returnToTrash, trashedImages } from '../../model/images/trash.ts'
import { serverText } from '../../model/api-error.ts'
import { usePages } from '../../model/row-list.ts'
import { trashDays } from '../../model/site.ts'
import { selection as selectionTexts, undo as undoText } from '../../texts/dashboard-messages.ts'
import { trash } from '../../texts/trash-messages.ts'
import { EmptyList } from '../../ui/list-panel/empty-list.tsx'
import { MoreRows } from '../../ui/list-panel/more-rows.tsx'
import { SelectionBar } from '../../ui/list-panel/selection-bar.tsx'
import { Skeletons } from '../../ui/list-panel/skeletons.tsx'
import { useSelection } from '../../ui/list-panel/use-selection.ts'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { SmallButton } from '../../ui/small-button.tsx'
import { notify } from '../../ui/toast/toast.ts'
import { type UndoableChange, useUndo } from '../../ui/undo/use-undo.ts'
import { useAction } from '../../ui/use-action.ts'
import { type Asked, DeletionDialog } from './deletion-dialog.tsx'
import { TrashTile } from './trash-tile.tsx'
import '../../styles/lists.css'
import '../../styles/bars.css'
import './trash.css'

const minuteMs = 60_000
const headingId = 'trash'

export function TrashList() {
  const { rows, total, isLoading, isReady, trouble, reload, nextPage } = usePages(trashedImages)
  const selection = useSelection(rows, ({ id }) => id)
  const [asked, setAsked] = useState<Asked>()
  const { isBusy, run } = useAction(notify.failure)
  const { add } = useUndo(Infinity, () => notify.blank(trash.nothingToUndo))
  const list = useRef<HTMLUListElement>(null)
  const lastAt = useRef(-1)
  const nowMs = Math.ceil(Date.now() / minuteMs) * minuteMs

  async function restore(images: readonly TrashedImage[]): Promise<void> {
    lastAt.current = placeOf(list.current)
    const restored = await restoreFromTrash(images)
    if (restored.length > 0) {
      const change = restorationOf(restored)
      add(change)
      notify.success(change.text)
    }
    if (restored.length < images.length) notify.error(undoText.lost(images.length - restored.length))
    selection.clear()
  }
  const runRestore = (images: readonly TrashedImage[]) =>
    void run(
      () => restore(images),
      (error) => serverText(error, trash.restoreFailed),
    )

  // The pressed button is gone: the focus goes to the image that took the place, else to the title. A disabled button takes none.
  useEffect(() => {
    if (isLoading || isBusy || document.activeElement !== document.body || lastAt.current < 0) return
    const items = list.current?.children ?? []
    const next = items[Math.min(lastAt.current, items.length - 1)]?.querySelector('button')
    lastAt.current = -1
    ;(next ?? document.getElementById(headingId))?.focus()
  }, [rows, isLoading, isBusy, asked])

  useNextPage(nextPage, rows.length === 0)

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
        {rows.length === 0 && isReady && !nextPage.exists && (
          <EmptyList icon={Trash2} title={trash.noneYet} text={trash.noneYetText(trashDays)} />
        )}
        <ul ref={list} className="trash-tiles" hidden={rows.length === 0}>
          {rows.map((image) => (
            <TrashTile
              key={image.id}
              image={image}
              nowMs={nowMs}
              isSelected={selection.keys.has(image.id)}
              isBusy={isBusy}
              onSelect={() => selection.toggle(image.id)}
              onRestore={() => runRestore([image])}
              onDelete={() => setAsked([image])}
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
          onPress={() => runRestore(selection.selected)}
        />
        <SmallButton
          icon={Trash2}
          text={trash.delete}
          isDanger
          isOff={isBusy}
          onPress={() => setAsked(selection.selected)}
        />
      </SelectionBar>
      {asked !== undefined && (
        <DeletionDialog
          asked={asked}
          total={total}
          onDeleted={() => {
            lastAt.current = 0
            selection.clear()
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  )
}

/** Undone by Ctrl+Z. */
const restorationOf = (restored: readonly Image[]): UndoableChange => ({
  text: undoText.done(restored.length),
  async undo() {
    const failure = await returnToTrash(restored)
    if (failure !== undefined) {
      notify.failure(serverText(failure, trash.returnFailed), failure)
      return restorationOf(restored)
    }
    notify.success(trash.returned(restored.length))
    return undefined
  },
})

/** Loads the next page when the last image of the loaded ones has left. */
function useNextPage({ exists, isLoading, trouble, load }: Pages['nextPage'], isEmpty: boolean): void {
  const isDrained = isEmpty && exists && !isLoading && trouble === undefined
  useEffect(() => {
    if (isDrained) void load()
  }, [isDrained]) // oxlint-disable-line react-hooks/exhaustive-deps -- `load` is a new function at each render
}

type Pages = ReturnType<typeof usePages>

/** The tile that has the focus; the first where the bar has it. */
const placeOf = (list: HTMLElement | null): number =>
  Math.max(
    0,
    [...(list?.children ?? [])].findIndex((tile) => tile.contains(document.activeElement)),
  )
