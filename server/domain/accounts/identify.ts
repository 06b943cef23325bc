import type { Caller } from '../caller.ts'
import type { Deps } from '../deps.ts'
import { Failure } from '../failure.ts'
import { resumeByKey } from './api-keys.ts'
import { resumeSession } from './sessions.ts'

/**
 * Who sends this Authorization header. None: a guest. One that does not hold is refused, never taken for a guest's.
 * @throws {Failure} invalid_token, inactive_account
 */
export async function identify(deps: Deps, authorization: string | undefined): Promise<Caller> {
  if (authorization === undefined || authorization === '') return { kind: 'guest' }
  const credential = /^Bearer ([\w.-]{1,2000})$/i.exec(authorization)?.[1]
  if (credential === undefined) throw new Failure('invalid_token')
  return credential.startsWith('ik_') ? resumeByKey(deps, credential) : resumeSession(deps, credential)
}
