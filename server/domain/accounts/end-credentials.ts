import type { AuditDeps, AuditOrigin } from '../audit/audit.ts'
import type { InTransaction } from '../shared/deps.ts'
import { switchOffAll } from '../webhooks/switch-webhooks-off.ts'
import { deleteAllApiKeys } from './api-keys.ts'
import { deleteMailLinksOf } from './email/mail-links.ts'
import { endAllSessions } from './sessions.ts'

/**
 * Ends all sessions of an account, the links that were mailed to it and, unless `keepApiKeys`, its API keys and webhooks.
 * @param deps.db a transaction that has written the account's row
 */
export async function endCredentials(
  deps: InTransaction<AuditDeps>,
  userId: string,
  { keepApiKeys = false }: { keepApiKeys?: boolean | undefined },
  by: AuditOrigin,
): Promise<void> {
  await endAllSessions(deps.db, userId)
  await deleteMailLinksOf(deps, userId)
  if (keepApiKeys) return
  await deleteAllApiKeys(deps, userId, by)
  await switchOffAll(deps, userId, by)
}
