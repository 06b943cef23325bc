// The caller of a request. Role and status are read from the database, never from the token.
import type { Scope } from '../../../contract/plain/scopes.ts'
import type { Visibility } from '../../../contract/plain/visibility.ts'
import type { UsersTable } from '../../db/schema.ts'

export type Account = UsersTable

export type Caller = Guest | UserCaller

export interface Guest {
  kind: 'guest'
}

export interface UserCaller {
  kind: 'user'
  account: Account
  /** The credential: the session of a token (its jti), or an API key. */
  by: Session | KeyCredential
}

export interface Session {
  sessionId: string
  /** When its user last proved who they are, by the login or later, in UTC milliseconds. */
  confirmedAt: number
  /** Whether its user has proven a second factor. Default false. */
  hasSecondFactor?: boolean
}

/** A user identified by an API key. */
export type KeyCaller = UserCaller & { by: KeyCredential }

export interface KeyCredential {
  apiKeyId: string
  /** As stored when the request was authenticated. */
  grant: {
    scopes: readonly Scope[]
    /** null: no limit. */
    uploadsPerHour: number | null
    /** Limit of `uploadedBytes`; null: no limit. */
    maxBytes: number | null
    uploadedBytes: number
    /** Of uploads that do not say; null: as the account has it. */
    uploadVisibility: Visibility | null
    /** The album of all uploads; null: none. */
    albumId: string | null
  }
}

/** Who makes a request, and from where. */
export interface RequestOrigin<C = UserCaller> {
  caller: C
  /** The client's IP address, or its network, as rate limits count it. */
  address: string
}

/** API keys are for their owner's images only; they never act as admin. */
export const actsAsAdmin = (caller: Caller): boolean =>
  caller.kind === 'user' && caller.account.role === 'admin' && 'sessionId' in caller.by

/** Whether a user may change and delete the images of their account: with an API key, if it has that scope. */
export const mayManage = ({ by }: UserCaller): boolean => !('apiKeyId' in by) || by.grant.scopes.includes('manage')

/** Returns the session, for endpoints that require a login (enforced by bind.ts). */
export function sessionOf(caller: UserCaller): Session {
  if ('sessionId' in caller.by) return caller.by
  throw new Error('This endpoint requires a session, but the caller has an API key')
}
