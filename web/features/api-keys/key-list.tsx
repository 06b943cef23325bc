import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import type { ApiKey } from '../../../contract/endpoints/api-keys.ts'
import { apiKeyList, deleteApiKey, NoTokenError } from '../../model/api-keys.ts'
import { useRows } from '../../model/row-list.ts'
import { apiKeys } from '../../texts/api-keys-messages.ts'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx'
import { ListPanel } from '../../ui/list-panel/list-panel.tsx'
import { focusRow } from '../../ui/list-panel/row-focus.ts'
import { Skeletons } from '../../ui/list-panel/skeletons.tsx'
import { keyErrorText } from './key-error.ts'
import { KeyTable } from './key-table.tsx'

/** The user's keys, each with a button that deletes it. */
export function KeyList() {
  const list = useRows(apiKeyList)
  const isLoggedOut = list.error instanceof NoTokenError
  const [asked, setAsked] = useState<ApiKey>()
  const [deleted, setDeleted] = useState('')

  async function remove({ id, name }: ApiKey): Promise<string | undefined> {
    const at = list.rows.findIndex((key) => key.id === id)
    try {
      await deleteApiKey(id)
    } catch (error) {
      console.info('Failed to delete API key', error)
      return keyErrorText(error, { auth: apiKeys.authDelete, failed: apiKeys.deleteFailed })
    }
    // The button that opened the dialog was deleted with its key.
    focusRow('keys', at, 'tbody button')
    setDeleted(apiKeys.deleted(name))
    return undefined
  }

  return (
    <>
      <ListPanel
        id="keys"
        className="api-keys"
        icon={KeyRound}
        texts={{
          ...apiKeys,
          title: apiKeys.list,
          failed: isLoggedOut ? apiKeys.authView : apiKeys.fetchFailed,
        }}
        list={isLoggedOut && list.trouble ? { ...list, trouble: { ...list.trouble, reason: '' } } : list}
        skeletons={<Skeletons count={3} className="h-13 max-md:h-36" />}
      >
        <KeyTable keys={list.rows} onDelete={setAsked} />
      </ListPanel>
      <p className="sr-only" aria-live="polite">
        {deleted}
      </p>
      {asked !== undefined && (
        <ConfirmDialog
          title={apiKeys.deleteTitle}
          confirm={apiKeys.delete}
          busy={apiKeys.deleting}
          isDanger
          onConfirm={() => remove(asked)}
          onClose={() => setAsked(undefined)}
        >
          <p className="mb-2 wrap-anywhere">
            <b className="font-semibold text-text">{asked.name}</b>
          </p>
          <p>{apiKeys.confirm}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
