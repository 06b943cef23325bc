import { limits } from '../../../../contract/plain/limits.ts'
import type { UserQuery } from './admin-users.ts'
import { users } from '../../../texts/admin/admin-messages.ts'
import { SearchField } from '../../../ui/forms/search-field.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import { roles, statuses } from '../admin-address.ts'

interface Props {
  query: UserQuery
  onQuery: (query: UserQuery) => void
}

export function UsersToolbar({ query, onQuery }: Props) {
  return (
    <search aria-label={users.searchLabel} className="users-search">
      <SearchField
        className="toolbar-search"
        label={users.search}
        maxLength={limits.list.maxSearchLength}
        text={query.q}
        onSearch={(q) => onQuery({ ...query, q })}
      />
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
