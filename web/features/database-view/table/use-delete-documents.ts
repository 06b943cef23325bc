import { limits } from '../../../../contract/plain/limits.ts'
import { deleteDocuments } from '../documents.ts'
import { adminNotify } from '../../../ui/toast/admin-toast.tsx'
import { database } from '../../../texts/database-view/database-messages.ts'
import { deleteDocuments as text } from '../../../texts/database-view/database-table-messages.ts'
import { addressOf } from '../database-address.ts'
import { hideErrorBanner, showErrorBanner } from '../error-banner.ts'
import { deleteInBatches } from './delete-in-batches.ts'
import { loadDocumentsOrReport } from '../load-or-report.ts'
import { useDatabaseAddress } from '../use-database-address.ts'
import type { DocumentSelectionState } from './use-document-selection.ts'

/** Deletes the selected documents, reports the result, and reloads the table. */
export function useDeleteDocuments(collection: string, total: number, { selection, drop }: DocumentSelectionState) {
  const { go } = useDatabaseAddress()

  return async function deleteSelected(): Promise<void> {
    const ids = [...selection.keys()]
    hideErrorBanner()
    const outcome = await deleteInBatches(ids, (batch) => deleteDocuments(collection, batch))
    drop(outcome.ids)
    await showRemaining(outcome.ids, total - outcome.deleted)
    if ('error' in outcome) tell(outcome.error, outcome.deleted, ids.length)
    else adminNotify.done(text.done, text.doneText(outcome.deleted))
  }

  /** Moves to the previous page when this one is empty, and closes the panel of a deleted document. */
  async function showRemaining(missing: readonly string[], left: number): Promise<void> {
    const now = addressOf(location.search)
    // The user may have left the view during the request.
    if (now.collection !== collection) return
    const page = Math.min(now.page, Math.max(1, Math.ceil(left / limits.documents.defaultLimit)))
    const isOpenMissing = now.documentId !== undefined && missing.includes(now.documentId)
    if (page !== now.page || isOpenMissing)
      go({ page, documentId: isOpenMissing ? undefined : now.documentId }, { replace: true })
    // The changed address loads the other page.
    if (page === now.page) await loadDocumentsOrReport(collection, page)
  }
}

function tell(error: unknown, deleted: number, of: number): void {
  const reason = showErrorBanner(error, text.failed, database.networkDelete)
  if (reason === undefined) return
  const reported = deleted > 0 ? text.partly(deleted, of, reason) : reason
  adminNotify.failed(text.failed, reported === text.failed ? undefined : reported)
}
