// Download links of backups for browsers (docs/decisions/0019).
import { routes } from '../../../contract/plain/routes.ts'
import type { UserCaller } from '../shared/caller.ts'
import type { Deps, RequestContext } from '../shared/deps.ts'
import { createTicket, readTicket, useTicket } from '../shared/download-tickets.ts'
import { Failure } from '../shared/failure.ts'
import { requireRecentConfirmation } from '../shared/recent-confirmation.ts'
import { auditDownload, findArchive, type ServedFile } from './backups.ts'

const audience = 'backup-download'
const path = routes.downloadBackupByLink.replace('POST ', '')

/** @throws {Failure} like downloadBackup, before the download starts */
export async function createBackupLink(
  deps: Deps,
  { caller, params }: RequestContext<UserCaller> & { params: { id: string } },
) {
  requireRecentConfirmation(deps, caller)
  await findArchive(deps, params.id)
  return { url: path, ...(await createTicket(deps, caller, { audience, of: params.id })) }
}

/**
 * @throws {Failure} download_link_ended: it was used, has expired, or its creator's session or admin
 * role has ended
 */
export async function downloadBackupByLink(
  deps: Deps,
  { address, body }: { address: string; body: { ticket: string } },
): Promise<ServedFile> {
  const { of: id, id: ticketId, account } = await readTicket(deps, body.ticket, audience)
  if (account.role !== 'admin') throw new Failure('download_link_ended')
  const file = await findArchive(deps, id)
  await useTicket(deps, ticketId)
  await auditDownload(deps, id, { actor: account, address })
  return file
}
