import { Plus, Users } from 'lucide-react'
import { useCallback, useRef, useState } from 'react'
import type { User } from '../../../../contract/endpoints/accounts.ts'
import { allUsersQuery, isAllUsersQuery, useUsers, type UserQuery } from './admin-users.ts'
import { useOnline } from '../../../model/online.ts'
import { users as texts } from '../../../texts/admin/admin-messages.ts'
import { EmptyState, ListFallback, loadingStateOf, Skeletons } from '../loading-states.tsx'
import { MoreRows } from '../more-rows.tsx'
import { useActionOutcome } from '../use-action-outcome.ts'
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

/** All accounts: search, list, create, edit, delete. */
export function UsersPanel({ query, onQuery, ownId }: Props) {
  const list = useUsers(query)
  const { users, total } = list.data ?? { users: [], total: 0 }
  const { outcome, attempt } = useActionOutcome()
  const [open, setOpen] = useState<Open>()
  const isOnline = useOnline()
  const section = useRef<HTMLElement>(null)
  const edit = useCallback((user: User) => setOpen({ dialog: 'edit', user }), [])
  const ask = useCallback((user: User, action: UserAction) => setOpen({ dialog: 'ask', user, action }), [])

  const rowHeads = () => [...(section.current?.querySelectorAll<HTMLElement>('tbody th') ?? [])]

  /** The opener was deleted with its row: focuses the row that took its place, else the title. */
  function focusAt(row: number): void {
    const heads = rowHeads()
    requestAnimationFrame(() => (heads[row] ?? heads.at(-1) ?? section.current?.querySelector('h2'))?.focus())
  }

  const isFiltered = !isAllUsersQuery(query)
  const { isLoading, isReady } = loadingStateOf(list)
  return (
    <section ref={section} className="grid gap-4" aria-labelledby="users" aria-busy={isLoading}>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <div className="flex flex-wrap items-baseline gap-x-3">
          <h2 id="users" tabIndex={-1} className="text-h2">
            {texts.title}
          </h2>
          <p role="status" className="text-dense text-text-2 tabular-nums">
            {isReady && (isFiltered ? texts.found(total) : texts.count(total))}
          </p>
        </div>
        <button
          type="button"
          className="btn btn-primary"
          disabled={!isOnline}
          onClick={() => setOpen({ dialog: 'edit' })}
        >
          <Plus className="size-4.5" aria-hidden />
          {texts.create}
        </button>
      </div>
      <UsersToolbar query={query} onQuery={onQuery} />
      <p role="status" className="text-dense font-medium text-success-text wrap-anywhere empty:hidden">
        {outcome}
      </p>
      <ListFallback
        list={list}
        isEmpty={users.length === 0}
        failed={texts.failed}
        skeletons={<Skeletons count={5} className="h-13" />}
      >
        <EmptyState icon={<Users className="size-6.5" aria-hidden />} title={texts.none}>
          <button type="button" className="btn btn-quiet mt-4" onClick={() => onQuery(allUsersQuery)}>
            {texts.clear}
          </button>
        </EmptyState>
      </ListFallback>
      {users.length > 0 && <UserTable users={users} ownId={ownId} isOnline={isOnline} onEdit={edit} onAction={ask} />}
      <MoreRows
        list={list}
        failed={texts.moreFailed}
        shown={texts.shown(users.length, total)}
        // The focus moves to the first new row.
        onMore={() => rowHeads()[users.length]?.focus()}
      />
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
          onClose={(isDeleted) => {
            const row = users.findIndex(({ id }) => id === open.user.id)
            setOpen(undefined)
            if (isDeleted) focusAt(Math.max(0, row))
          }}
        />
      )}
    </section>
  )
}
