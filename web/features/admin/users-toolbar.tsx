import { Search } from 'lucide-react'
import { limits } from '../../../contract/limits.ts'
import type { UserQuery } from '../../data/admin-users.ts'
import { users } from '../../notify/admin-messages.ts'
import { Select } from '../../ui/select.tsx'
import { useSearchField } from '../../ui/use-search-field.ts'
import { roles, statuses } from './address.ts'

interface Props {
  query: UserQuery
  onQuery: (query: UserQuery) => void
}

export function UsersToolbar({ query, onQuery }: Props) {
  const field = useSearchField(query.q, (q) => onQuery({ ...query, q }))
  return (
    <search aria-label={users.searchLabel} className="users-search">
      <label className="toolbar-search">
        <span className="sr-only">{users.search}</span>
        <Search
          className="pointer-events-none absolute top-1/2 left-3 size-4.5 -translate-y-1/2 text-text-3"
          aria-hidden
        />
        <input
          type="search"
          className="field pl-10 text-ellipsis"
          placeholder={users.search}
          maxLength={limits.list.maxSearchLength}
          {...field}
        />
      </label>
      <Select
        label={users.role}
        value={query.role ?? ''}
        options={[['', users.anyRole], ...roles.map((role) => [role, users.roles[role]] as const)]}
        onChange={(role) => onQuery({ ...query, role: role === '' ? undefined : role })}
      />
      <Select
        label={users.status}
        value={query.status ?? ''}
        options={[['', users.anyStatus], ...statuses.map((status) => [status, users.statuses[status]] as const)]}
        onChange={(status) => onQuery({ ...query, status: status === '' ? undefined : status })}
      />
    </search>
  )
}
