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
  /** The session of the token (its jti). */
  sessionId: string
}
