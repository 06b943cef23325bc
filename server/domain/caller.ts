// Who calls. The role and status are read from the database at each request, never from the token.
import type { UsersTable } from '../db/schema.ts'

export type Account = UsersTable

export type Caller = Guest | UserCaller

export interface Guest {
  kind: 'guest'
}

export interface UserCaller {
  kind: 'user'
  account: Account
  /** What proved it: the session of a token (its jti), or an API key. */
  by: { sessionId: string } | { apiKeyId: string }
}

/** Keys upload and manage their owner's images; they never act as admin. */
export const actsAsAdmin = (caller: Caller): boolean =>
  caller.kind === 'user' && caller.account.role === 'admin' && 'sessionId' in caller.by

/** For what only a login may do, which bind.ts sees to. */
export function sessionOf(caller: UserCaller): string {
  if ('sessionId' in caller.by) return caller.by.sessionId
  throw new Error('An API key came where only a login may: its endpoint must not accept keys')
}
