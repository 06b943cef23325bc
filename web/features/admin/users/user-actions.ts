// The actions on an account that run without a dialog.
import type { User } from '../../../../contract/endpoints/accounts.ts'
import { deleteUser, promoteUser, updateUser } from './admin-users.ts'

export type UserAction = 'promote' | 'demote' | 'activate' | 'deactivate' | 'delete'
type Slot = 'role' | 'status' | 'delete'

export const accountActionsOf = ({ role, status }: User): readonly (readonly [Slot, UserAction])[] => [
  ['role', role === 'admin' ? 'demote' : 'promote'],
  ['status', status === 'Active' ? 'deactivate' : 'activate'],
  ['delete', 'delete'],
]

export const runAccountAction: Record<UserAction, (user: User) => Promise<unknown>> = {
  promote: promoteUser,
  demote: ({ id }) => updateUser(id, { role: 'user' }),
  activate: ({ id }) => updateUser(id, { status: 'Active' }),
  deactivate: ({ id }) => updateUser(id, { status: 'Inactive' }),
  delete: ({ id }) => deleteUser(id),
}
