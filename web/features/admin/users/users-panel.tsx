import { Users } from 'lucide-react'
import { useCallback, useState, useRef } from 'react'
import type { User } from '../../../../contract/endpoints/accounts.ts'
import { limits } from '../../../../contract/plain/limits.ts'
import { allUsersQuery, isAllUsersQuery, userList, type UserQuery } from './admin-users.ts'
import { usePages } from '../../../model/row-list.ts'
import { users as texts, deletionSummary, userActions } from '../../../texts/admin/admin-messages.ts'
import { SearchField } from '../../../ui/forms/search-field.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import { ListPanel } from '../../../ui/list-panel/list-panel.tsx'
import { focusRow } from '../../../ui/list-panel/row-focus.ts'
import { Skeletons } from '../../../ui/list-panel/skeletons.tsx'
import { AddButton } from '../add-button.tsx'
import { roles, statuses } from '../admin-address.ts'
import { useActionOutcome } from '../use-action-outcome.ts'
import { type UserAction, runAccountAction } from './user-actions.ts'
import { DeactivateFound } from './deactivate-found.tsx'
import { UserDialog } from './user-dialog.tsx'
import { UserTable } from './user-table.tsx'
import { formatBytes } from '../../../../contract/plain/format-bytes.ts'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'

type Open = { dialog: 'edit'; user?: User } | { dialog: 'ask'; user: User; action: UserAction }

interface Props {
  query: UserQuery
  onQuery: (query: UserQuery) => void
  ownId: string
}

/** All accounts: search, list, create, edit, delete. */
export function UsersPanel({ query, onQuery, ownId }: Props) {
  const list = usePages(userList(query))
  const { outcome, showDone, attempt } = useActionOutcome()
  const [open, setOpen] = useState<Open>()
  const edit = useCallback((user: User) => setOpen({ dialog: 'edit', user }), [])
  const ask = useCallback((user: User, action: UserAction) => setOpen({ dialog: 'ask', user, action }), [])

  function closeAsked(user: User, isDeleted: boolean): void {
    const row = list.rows.findIndex(({ id }) => id === user.id)
    setOpen(undefined)
    if (isDeleted) focusRow('users', Math.max(0, row))
  }

  return (
    <>
      <ListPanel
        id="users"
        icon={Users}
        texts={texts}
        list={list}
        action={<AddButton text={texts.create} onPress={() => setOpen({ dialog: 'edit' })} />}
        onClear={isAllUsersQuery(query) ? undefined : () => onQuery(allUsersQuery)}
        filters={<Filters query={query} onQuery={onQuery} />}
        notice={mayDeactivateFound(query, list) && <DeactivateFound q={query.q} attempt={attempt} />}
        outcome={outcome}
        skeletons={<Skeletons count={5} className="h-13" />}
      >
        <UserTable users={list.rows} ownId={ownId} onEdit={edit} onAction={ask} />
      </ListPanel>
      {open?.dialog === 'edit' && (
        <UserDialog
          user={open.user}
          isOwn={open.user?.id === ownId}
          onDone={showDone}
          onClose={() => setOpen(undefined)}
        />
      )}
      {open?.dialog === 'ask' && (
        <UserConfirm
          user={open.user}
          action={open.action}
          attempt={attempt}
          onClose={(isDeleted) => closeAsked(open.user, isDeleted)}
        />
      )}
    </>
  )
}

/** Not for a filter alone: of all active users it would leave nobody. */
const mayDeactivateFound = ({ q, role, status }: UserQuery, list: { isReady: boolean; total: number }) =>
  q !== '' && role !== 'admin' && status !== 'Inactive' && list.isReady && list.total > 1

const Filters = ({ query, onQuery }: Pick<Props, 'query' | 'onQuery'>) => (
  <>
    <SearchField
      className="toolbar-search"
      label={texts.search}
      maxLength={limits.list.maxSearchLength}
      text={query.q}
      onSearch={(q) => onQuery({ ...query, q })}
    />
    <Select
      isFilter
      label={texts.role}
      value={query.role ?? ''}
      options={[['', texts.anyRole], ...roles.map((role) => [role, texts.roles[role]] as const)]}
      onChange={(role) => onQuery({ ...query, role: role === '' ? undefined : role })}
    />
    <Select
      isFilter
      label={texts.status}
      value={query.status ?? ''}
      options={[['', texts.anyStatus], ...statuses.map((status) => [status, texts.statuses[status]] as const)]}
      onChange={(status) => onQuery({ ...query, status: status === '' ? undefined : status })}
    />
  </>
)

interface ConfirmProps {
  user: User
  action: UserAction
  attempt: (run: () => Promise<string>, failed: string) => Promise<string | undefined>
  /** @param isDeleted whether the account was deleted */
  onClose: (isDeleted: boolean) => void
}

/** Asks for confirmation of an action on an account, and explains its effect. */
function UserConfirm({ user, action, attempt, onClose }: ConfirmProps) {
  const texts = userActions[action]
  const isDone = useRef(false)

  const run = () =>
    attempt(async () => {
      await runAccountAction[action](user)
      isDone.current = true
      return texts.done(user.email)
    }, texts.failed)

  return (
    <ConfirmDialog
      title={texts.title}
      subject={user.email}
      confirm={texts.confirm}
      busy={texts.busy}
      isDanger={action === 'delete' || action === 'deactivate'}
      onConfirm={run}
      onClose={() => onClose(isDone.current && action === 'delete')}
    >
      <p>
        {action === 'delete' && `${deletionSummary(user.imageCount, formatBytes(user.imageBytes))} `}
        {texts.text}
      </p>
    </ConfirmDialog>
  )
}
