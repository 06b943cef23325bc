import { KeyRound } from 'lucide-react'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { ApiKey } from '../../../contract/endpoints/api-keys.ts'
import { troubleOf } from '../../model/api-error.ts'
import { apiKeyList, deleteApiKey, NoTokenError } from '../../model/api-keys.ts'
import { queryClient } from '../../model/query-client.ts'
import { apiKeys } from '../../texts/api-keys-messages.ts'
import { common } from '../../texts/messages.ts'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { keyErrorText } from './key-error.ts'
import { KeyTable } from './key-table.tsx'

/** The user's keys, each with a button that deletes it. */
export function KeyList() {
  const { data: keys = [], status, error, refetch } = useQuery(apiKeyList, queryClient)
  const [asked, setAsked] = useState<ApiKey>()
  const [deleted, setDeleted] = useState('')
  const section = useRef<HTMLElement>(null)
  /** The row of the deleted key: the focus goes to the one that takes its place. */
  const gap = useRef<number>(undefined)

  async function remove({ id, name }: ApiKey): Promise<string | undefined> {
    const at = keys.findIndex((key) => key.id === id)
    try {
      await deleteApiKey(id)
    } catch (error) {
      console.info('Failed to delete API key', error)
      return keyErrorText(error, { auth: apiKeys.authDelete, failed: apiKeys.deleteFailed })
    }
    gap.current = at
    setDeleted(apiKeys.deleted(name))
    return undefined
  }

  /** The button that opened the dialog was deleted with its key. */
  function close(): void {
    setAsked(undefined)
    if (gap.current === undefined) return
    const buttons = [...(section.current?.querySelectorAll<HTMLElement>('button[data-delete]') ?? [])]
    const next = buttons[gap.current] ?? buttons.at(-1) ?? section.current?.querySelector<HTMLElement>('h2')
    gap.current = undefined
    next?.focus()
  }

  return (
    <section ref={section} className="keys-list mt-10" aria-labelledby="keys" aria-busy={status === 'pending'}>
      <h2 id="keys" tabIndex={-1} className="mb-4 text-h2">
        {apiKeys.list}
      </h2>
      {status === 'error' && (
        <LoadFailure
          {...(error instanceof NoTokenError
            ? { title: apiKeys.authView, ...troubleOf(error), reason: '' }
            : { title: apiKeys.fetchFailed, ...troubleOf(error) })}
          onRetry={refetch}
          isBar={keys.length > 0}
        />
      )}
      {keys.length > 0 && <KeyTable keys={keys} onDelete={setAsked} />}
      {keys.length === 0 && status === 'pending' && <Skeleton />}
      {keys.length === 0 && status === 'success' && <Empty />}
      <p className="sr-only" aria-live="polite">
        {deleted}
      </p>
      {asked !== undefined && (
        <ConfirmDialog
          title={apiKeys.deleteTitle}
          confirm={apiKeys.delete}
          busy={apiKeys.deleting}
          cancel={common.cancel}
          isDanger
          onConfirm={() => remove(asked)}
          onClose={close}
        >
          <p className="mb-2 wrap-anywhere">
            <b className="font-semibold text-text">{asked.name}</b>
          </p>
          <p>{apiKeys.confirm}</p>
        </ConfirmDialog>
      )}
    </section>
  )
}

function Skeleton() {
  return (
    <div role="status" className="grid gap-2">
      <span className="sr-only">{common.loading}</span>
      {[0, 1, 2].map((row) => (
        <div key={row} className="skeleton h-13 max-md:h-36" />
      ))}
    </div>
  )
}

function Empty() {
  return (
    <div className="card grid min-h-44 place-content-center justify-items-center gap-1 p-6 text-center">
      <span className="mb-3 grid size-14 place-items-center rounded-full bg-accent-soft">
        <KeyRound className="size-6.5 text-accent-text" aria-hidden />
      </span>
      <p className="text-h3">{apiKeys.empty}</p>
      <p className="max-w-[60ch] text-dense text-balance text-text-2">{apiKeys.emptyText}</p>
    </div>
  )
}
