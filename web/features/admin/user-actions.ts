// The actions on an account that run without a dialog.
import type { User } from '../../../contract/accounts.ts'
import { makesAdmin } from '../../../contract/makes-admin.ts'
import { deleteUser, promoteUser, updateUser } from '../../data/admin-users.ts'

export type UserAction = 'promote' | 'demote' | 'activate' | 'deactivate' | 'delete'
type Slot = 'role' | 'status' | 'delete'

export const accountActionsOf = ({ role, status }: User): readonly (readonly [Slot, UserAction])[] => [
  ['role', role === 'admin' ? 'demote' : 'promote'],
  ['status', status === 'Active' ? 'deactivate' : 'activate'],
  ['delete', 'delete'],
]

/** The account as the action leaves it. */
const resultOf: Partial<Record<UserAction, Partial<User>>> = {
  promote: { role: 'admin' },
  activate: { status: 'Active' },
}
export const needsOwnPassword = (action: UserAction, user: User) => makesAdmin(user, { ...user, ...resultOf[action] })

/** @param currentPassword the admin's own, where {@link needsOwnPassword} */
export const runAccountAction: Record<UserAction, (user: User, currentPassword?: string) => Promise<unknown>> = {
  promote: (user, currentPassword) => promoteUser(user, currentPassword),
  demote: ({ id }) => updateUser(id, { role: 'user' }),
  activate: ({ id }, currentPassword) => updateUser(id, { status: 'Active', currentPassword }),
  deactivate: ({ id }) => updateUser(id, { status: 'Inactive' }),
  delete: ({ id }) => deleteUser(id),
}
