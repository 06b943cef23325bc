import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import type { ApiKey } from '../../../contract/endpoints/api-keys.ts'
import { apiKeyList, deleteApiKey, NoTokenError } from '../../model/api-keys.ts'
import { attempt } from '../../model/attempt.ts'
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

  async function remove({ id, name }: ApiKey): Promise<void> {
    const at = list.rows.findIndex((key) => key.id === id)
    await deleteApiKey(id)
    // The button that opened the dialog was deleted with its key.
    focusRow('keys', at, 'tbody button')
    setDeleted(apiKeys.deleted(name))
  }
  const explain = (error: unknown, failed: string) => keyErrorText(error, { auth: apiKeys.authDelete, failed })

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
          subject={asked.name}
          confirm={apiKeys.delete}
          busy={apiKeys.deleting}
          isDanger
          onConfirm={() => attempt(() => remove(asked), apiKeys.deleteFailed, explain)}
          onClose={() => setAsked(undefined)}
        >
          <p>{apiKeys.confirm}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
