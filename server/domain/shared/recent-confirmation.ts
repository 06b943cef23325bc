// Whether the user of a session has proved recently who they are (docs/decisions/0051).
import { accountLimits } from '../../../contract/plain/account-limits.ts'
import { sessionOf, type UserCaller } from './caller.ts'
import type { Deps } from './deps.ts'
import { Failure } from './failure.ts'

/** @throws {Failure} password_required: the last login or confirmation is more than {@link accountLimits.recentLoginMs} ago */
export function requireRecentConfirmation({ now }: Pick<Deps, 'now'>, caller: UserCaller): void {
  if (now() - sessionOf(caller).confirmedAt > accountLimits.recentLoginMs) throw new Failure('password_required')
}
