import { Plus, Users } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { User } from '../../../contract/accounts.ts'
import { everyone, isEveryone, loadMoreUsers, loadUsers, useUsers, type UserQuery } from '../../data/admin-users.ts'
import { useOnline } from '../../data/online.ts'
import { users as words } from '../../texts/admin-messages.ts'
import { Failure, Nothing, Skeletons } from './states.tsx'
import { useOutcome } from './use-outcome.ts'
import type { UserAction } from './user-actions.ts'
import { UserConfirm } from './user-confirm.tsx'
import { UserDialog } from './user-dialog.tsx'
import { UserTable } from './user-table.tsx'
import { UsersToolbar } from './users-toolbar.tsx'

type Open = { dialog: 'edit'; user?: User } | { dialog: 'ask'; user: User; action: UserAction }

interface Props {
  query: UserQuery
  onQuery: (query: UserQuery) => void
  ownId: string
}

/** All accounts: found, looked at, changed. */
export function UsersPanel({ query, onQuery, ownId }: Props) {
  const { status, users, total, cursor, more, failure } = useUsers()
  const { outcome, attempt } = useOutcome()
  const [open, setOpen] = useState<Open>()
  const isOnline = useOnline()
  const section = useRef<HTMLElement>(null)
  const { q, role, status: wanted } = query
  useEffect(() => void loadUsers({ q, role, status: wanted }), [q, role, wanted])
  const edit = useCallback((user: User) => setOpen({ dialog: 'edit', user }), [])
  const ask = useCallback((user: User, action: UserAction) => setOpen({ dialog: 'ask', user, action }), [])

  const rowHeads = () => [...(section.current?.querySelectorAll<HTMLElement>('tbody th') ?? [])]

  /** The button was at the end of what there was: reading goes on with what has come. */
  async function showMore(): Promise<void> {
    const count = users.length
    if (await loadMoreUsers()) requestAnimationFrame(() => rowHeads()[count]?.focus())
  }

  /** The button that asked is gone with its row: whatever stands there now, else the title. */
  function focusAt(row: number): void {
    const heads = rowHeads()
    requestAnimationFrame(() => (heads[row] ?? heads.at(-1) ?? section.current?.querySelector('h2'))?.focus())
  }

  const isFiltered = !isEveryone(query)
  const isReady = status === 'ready'
  return (
    <section ref={section} className="grid gap-4" aria-labelledby="users" aria-busy={status === 'loading'}>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <div className="flex flex-wrap items-baseline gap-x-3">
          <h2 id="users" tabIndex={-1} className="text-h2">
            {words.title}
          </h2>
          <p role="status" className="text-dense text-text-2 tabular-nums">
            {isReady && (isFiltered ? words.found(total) : words.count(total))}
          </p>
        </div>
        <button
          type="button"
          className="btn btn-primary"
          disabled={!isOnline}
          onClick={() => setOpen({ dialog: 'edit' })}
        >
          <Plus className="size-4.5" aria-hidden />
          {words.create}
        </button>
      </div>
      <UsersToolbar query={query} onQuery={onQuery} />
      <p role="status" className="text-dense font-medium text-success-text wrap-anywhere empty:hidden">
        {outcome}
      </p>
      {status === 'failed' && <Failure text={words.failed} failure={failure} onRetry={() => void loadUsers(query)} />}
      {users.length === 0 && status === 'loading' && <Skeletons count={5} className="h-13" />}
      {users.length === 0 && isReady && (
        <Nothing icon={<Users className="size-6.5" aria-hidden />} title={words.none}>
          <button type="button" className="btn btn-quiet mt-4" onClick={() => onQuery(everyone)}>
            {words.clear}
          </button>
        </Nothing>
      )}
      {users.length > 0 && <UserTable users={users} ownId={ownId} isOnline={isOnline} onEdit={edit} onAction={ask} />}
      {more === 'failed' && <Failure text={words.moreFailed} failure={failure} onRetry={() => void showMore()} />}
      {cursor !== undefined && more !== 'failed' && (
        <div className="flex flex-wrap items-center justify-center gap-4">
          <p className="text-dense text-text-2 tabular-nums">{words.shown(users.length, total)}</p>
          <button
            type="button"
            className="btn btn-quiet"
            aria-disabled={more === 'loading'}
            onClick={() => void showMore()}
          >
            {more === 'loading' ? words.loadingMore : words.more}
          </button>
        </div>
      )}
      {open?.dialog === 'edit' && (
        <UserDialog
          user={open.user}
          isOwn={open.user?.id === ownId}
          attempt={attempt}
          onClose={() => setOpen(undefined)}
        />
      )}
      {open?.dialog === 'ask' && (
        <UserConfirm
          user={open.user}
          action={open.action}
          attempt={attempt}
          onClose={(isGone) => {
            const row = users.findIndex(({ id }) => id === open.user.id)
            setOpen(undefined)
            if (isGone) focusAt(Math.max(0, row))
          }}
        />
      )}
    </section>
  )
}
