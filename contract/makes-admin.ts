// Whether a change of an account makes an active or future admin of it, which needs a confirmation.
import type { User } from './accounts.ts'

type Rights = Pick<User, 'role' | 'status'>

/** @param before undefined: the account is new */
export const makesAdmin = (before: Rights | undefined, after: Rights): boolean =>
  after.role === 'admin' && (before?.role !== 'admin' || (before.status !== 'Active' && after.status === 'Active'))
