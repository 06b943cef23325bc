import { limits } from '../../../../contract/limits.ts'
import { deleteDocuments } from '../../../data/documents.ts'
import { adminNotify } from '../../../ui/toast/admin-toast.tsx'
import { database } from '../../../texts/database-messages.ts'
import { deleteDocuments as text } from '../../../texts/database-table-messages.ts'
import { addressOf } from '../database-address.ts'
import { failureText, hideFailure, showFailure } from '../error-banner.ts'
import { deleteInBatches } from './delete-in-batches.ts'
import { readDocuments } from '../load-or-report.ts'
import { useDatabaseAddress } from '../use-database-address.ts'
import type { Selecting } from './use-document-selection.ts'

/** Deletes the selected documents, reports the result, and reloads the table. */
export function useDeleteDocuments(collection: string, total: number, { selection, drop }: Selecting) {
  const { go } = useDatabaseAddress()

  return async function deleteSelected(): Promise<void> {
    const ids = [...selection.keys()]
    hideFailure()
    const outcome = await deleteInBatches(ids, (batch) => deleteDocuments(collection, batch))
    drop(outcome.ids)
    await showWhatIsLeft(outcome.ids, total - outcome.deleted)
    if ('error' in outcome) tell(outcome.error, outcome.deleted, ids.length)
    else adminNotify.done(text.done, text.doneText(outcome.deleted))
  }

  /** Moves to the previous page when this one is empty, and closes the panel of a deleted document. */
  async function showWhatIsLeft(gone: readonly string[], left: number): Promise<void> {
    const now = addressOf(location.search)
    // The user may have left the view during the request.
    if (now.collection !== collection) return
    const page = Math.min(now.page, Math.max(1, Math.ceil(left / limits.documents.defaultLimit)))
    const isOpenGone = now.documentId !== undefined && gone.includes(now.documentId)
    if (page !== now.page || isOpenGone)
      go({ page, documentId: isOpenGone ? undefined : now.documentId }, { replace: true })
    // The changed address loads the other page.
    if (page === now.page) await readDocuments(collection, page)
  }
}

function tell(error: unknown, deleted: number, of: number): void {
  showFailure(error, text.failed, database.networkDelete)
  const reason = failureText(error, text.failed, database.networkDelete)
  if (reason === undefined) return
  const said = deleted > 0 ? text.partly(deleted, of, reason) : reason
  adminNotify.failed(text.failed, said === text.failed ? undefined : said)
}
