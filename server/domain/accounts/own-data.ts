// Who may download the archive of their data, how often, and by which link.
import { accountLimits } from '../../../contract/plain/account-limits.ts'
import { routes } from '../../../contract/plain/routes.ts'
import { auditAlone } from '../audit/audit.ts'
import type { Account, UserCaller } from '../shared/caller.ts'
import type { Deps, RequestContext } from '../shared/deps.ts'
import { createTicket, readTicket, useTicket } from '../shared/download-tickets.ts'
import type { ServedStream } from '../shared/served-stream.ts'
import { throttle } from '../shared/throttle.ts'
import { archiveOf } from './own-data-archive.ts'

const audience = 'own-data-download'
const path = routes.downloadOwnDataByLink.replace('POST ', '')

/** @throws {Failure} too_many_requests */
export async function downloadOwnData(
  deps: Deps,
  { caller, address, baseUrl }: RequestContext<UserCaller>,
): Promise<ServedStream> {
  await countDownload(deps, caller.account)
  return startDownload(deps, caller.account, { address, baseUrl })
}

/** @throws {Failure} too_many_requests */
export async function createOwnDataLink(deps: Deps, { caller }: { caller: UserCaller }) {
  await countDownload(deps, caller.account)
  return { url: path, ...(await createTicket(deps, caller, { audience, of: caller.account.id })) }
}

/** @throws {Failure} download_link_ended: it was used, has expired, or its creator's session has ended */
export async function downloadOwnDataByLink(
  deps: Deps,
  { address, baseUrl, body }: { address: string; baseUrl: string; body: { ticket: string } },
): Promise<ServedStream> {
  const { id, account } = await readTicket(deps, body.ticket, audience)
  await useTicket(deps, id)
  return startDownload(deps, account, { address, baseUrl })
}

const countDownload = (deps: Deps, { id }: Account) =>
  throttle(deps, { key: `own-data:${id}`, ...accountLimits.ownData })

interface Origin {
  address: string
  /** Of image URLs. */
  baseUrl: string
}

async function startDownload(deps: Deps, account: Account, { address, baseUrl }: Origin): Promise<ServedStream> {
  await auditAlone(deps, { actor: account, address, action: 'own_data_downloaded' })
  const day = new Date(deps.now()).toISOString().slice(0, 10)
  return {
    fileName: `image-host-data-${day}.tar`,
    mime: 'application/x-tar',
    chunks: () => archiveOf(deps, account, baseUrl),
  }
}
