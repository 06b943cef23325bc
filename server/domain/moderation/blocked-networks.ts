// The blocklist of networks: their clients may not upload, register or log in (docs/decisions/0036).
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { Input } from '../../../contract/endpoints/api.ts'
import type { BlockedNetwork } from '../../../contract/endpoints/blocklists.ts'
import { moderationLimits } from '../../../contract/plain/moderation-limits.ts'
import type { Schema } from '../../db/schema.ts'
import { containsText } from '../../db/contains-text.ts'
import { audit, type AuditDeps, type AuditOrigin } from '../audit/audit.ts'
import { findUnexpiredImage } from '../images/find-image.ts'
import { everyone } from '../images/may-view.ts'
import { hashAddress } from '../shared/address-privacy.ts'
import type { RequestOrigin } from '../shared/caller.ts'
import type { Deps } from '../shared/deps.ts'
import { Failure } from '../shared/failure.ts'
import { type Page, readPage } from '../shared/keyset-page.ts'
import { countedNetworkOf, networksContaining, normalNetwork } from './networks.ts'
import { assertBlocklistSpace } from './blocklist-size.ts'

interface Client {
  /** As rate limits count it, and as images carry its hash. */
  address: string
  /** In full; undefined when it is unknown. */
  ip: string | undefined
}

/** @throws {Failure} address_blocked */
export async function assertNetworkNotBlocked(
  deps: Pick<Deps, 'db' | 'now' | 'addressKey'>,
  { address, ip }: Client,
): Promise<void> {
  if (ip === undefined) return
  // At most 130 look-ups by key: exact on all servers, without a list in memory to update.
  const blocked = await deps.db
    .selectFrom('blocked_networks')
    .select('network')
    .where('network', 'in', [...networksContaining(ip), hashedNetwork(hashAddress(deps, address))])
    .where(isInForce(deps.now()))
    .limit(1)
    .executeTakeFirst()
  if (blocked) throw new Failure('address_blocked')
}

/** The network of an uploader: images keep only its hash (docs/decisions/0036). */
const hashedNetwork = (addressHash: string) => `hash:${addressHash}`

const isInForce =
  (now: number) =>
  (block: ExpressionBuilder<Schema, 'blocked_networks'>): Expression<SqlBool> =>
    block.or([block('blocked_networks.expires_at', 'is', null), block('blocked_networks.expires_at', '>', now)])

interface ListQuery {
  limit?: number | undefined
  cursor?: string | undefined
  q?: string | undefined
}

/** @throws {Failure} invalid_input: an invalid cursor */
export function listBlockedNetworks(
  deps: Deps,
  { query: { limit, cursor, q = '' } }: { query: ListQuery },
): Promise<Page<BlockedNetwork>> {
  const text = q.trim()
  const containing = blocksContaining(deps, text)
  let found = deps.db.selectFrom('blocked_networks').where(isInForce(deps.now()))
  if (containing.length > 0) found = found.where('network', 'in', containing)
  else if (text !== '') found = found.where(containsText(['network', 'note'], text))
  const rows = found
    .leftJoin('users', 'users.id', 'blocked_networks.created_by')
    .selectAll('blocked_networks')
    .select('users.email')
  return readPage(rows, found, {
    limit,
    cursor,
    by: ['blocked_networks.created_at', 'network'],
    keyOf: (row) => ({ value: row.created_at, id: row.network }),
    show: ({ network, note, expires_at, created_at, email }) => ({
      network,
      note,
      expires_at: expires_at === null ? null : new Date(expires_at).toISOString(),
      created_at: new Date(created_at).toISOString(),
      created_by: email,
    }),
  })
}

interface NewBlocks {
  networks: string[]
  note?: string | undefined
  expires_at?: string | undefined
}

/** The blocks of an address or network, as they are stored; of what counts as one client, that of its hash too. */
const blocksContaining = (deps: Pick<Deps, 'addressKey'>, written: string): string[] => [
  ...networksContaining(written),
  ...hashesOf(deps, written),
]

/** The audit log and images name an uploader's network in other spellings than the list. */
function hashesOf(deps: Pick<Deps, 'addressKey'>, written: string): string[] {
  const counted = countedNetworkOf(written)
  return counted === undefined ? [] : [hashedNetwork(hashAddress(deps, counted))]
}

/** @throws {Failure} invalid_input, own_network, block_list_full */
export async function blockNetworks(
  deps: Deps,
  { caller, address, ip, body }: RequestOrigin & { ip: string | undefined; body: NewBlocks },
) {
  const networks = [...new Set(body.networks.map(readNetwork))]
  const own = new Set(ip === undefined ? [] : networksContaining(ip))
  const ownNetwork = networks.find((network) => own.has(network))
  if (ownNetwork !== undefined) throw new Failure('own_network', { network: ownNetwork })
  await addBlocks(deps, { caller, address, networks, body })
  return { success: true as const, networks }
}

/**
 * Blocks the network of an image's uploader without anyone learning it.
 * @throws {Failure} image_not_found, image_gone, uploader_unknown, own_upload_network, invalid_input, block_list_full
 */
export async function blockUploader(
  deps: Deps,
  { caller, address, params: { id }, body }: RequestOrigin & Pick<Input<'blockUploader'>, 'params' | 'body'>,
) {
  const image = await findUnexpiredImage(deps, 'id', id, everyone)
  const hash = image.address_hash
  if (hash === null || hash === hashAddress(deps, 'unknown')) throw new Failure('uploader_unknown')
  if (hash === hashAddress(deps, address)) throw new Failure('own_upload_network')
  const network = hashedNetwork(hash)
  await addBlocks(deps, { caller, address, networks: [network], body, label: image.id })
  return { success: true as const, network }
}

interface Added extends RequestOrigin {
  /** As they are stored. */
  networks: string[]
  body: Pick<NewBlocks, 'note' | 'expires_at'>
  /** How the audit log names what is blocked. */
  label?: string
}

/** @throws {Failure} invalid_input, block_list_full */
async function addBlocks(deps: Deps, { caller, address, networks, body, label }: Added): Promise<void> {
  const { note = '' } = body
  const now = deps.now()
  const expiresAt = body.expires_at === undefined ? null : Date.parse(body.expires_at)
  if (expiresAt !== null && expiresAt <= now)
    throw new Failure('invalid_input', { field: 'expires_at', problem: 'must lie in the future' })

  const by = caller.account.id
  await deps.db.transaction().execute(async (transaction) => {
    await transaction
      .insertInto('blocked_networks')
      .values(networks.map((network) => ({ network, note, expires_at: expiresAt, created_at: now, created_by: by })))
      .onConflict((conflict) =>
        conflict.column('network').doUpdateSet({ note, expires_at: expiresAt, created_at: now, created_by: by }),
      )
      .execute()
    await assertBlocklistSpace(transaction, 'blocked_networks', moderationLimits.maxBlockedNetworks)
    const details = { note, ...(expiresAt === null ? {} : { until: new Date(expiresAt).toISOString() }) }
    const entry = { actor: caller, address, action: 'block_added' as const, details }
    await audit({ ...deps, db: transaction }, ...networks.map((id) => ({ ...entry, target: { id, label } })))
  })
  deps.log.info({ by, networks, expiresAt }, 'networks blocked')
}

/** @throws {Failure} invalid_input */
function readNetwork(written: string): string {
  const network = normalNetwork(written)
  if (network !== undefined) return network
  throw new Failure('invalid_input', { field: 'networks', problem: `${written} is not an address or a network` })
}

export async function unblockNetworks(
  deps: Deps,
  { caller, address, body }: RequestOrigin & { body: { networks: string[] } },
) {
  const networks = await deleteBlocks(
    deps,
    body.networks.flatMap((network) => [normalNetwork(network) ?? network, ...hashesOf(deps, network)]),
    { actor: caller, address },
  )
  deps.log.info({ by: caller.account.id, networks }, 'networks unblocked')
  return { success: true as const, removed: networks.length }
}

/**
 * Removes every block that contains an address or network, for an admin who is locked out.
 * @returns the removed blocks
 */
export const unblockContaining = (deps: AuditDeps, written: string): Promise<string[]> =>
  deleteBlocks(deps, blocksContaining(deps, written), { actor: 'command_line' })

function deleteBlocks(deps: AuditDeps, networks: string[], origin: AuditOrigin): Promise<string[]> {
  return deps.db.transaction().execute(async (db) => {
    const rows = await db.deleteFrom('blocked_networks').where('network', 'in', networks).returning('network').execute()
    const removed = rows.map(({ network }) => network)
    await audit(
      { ...deps, db },
      ...removed.map((id) => ({ ...origin, action: 'block_removed' as const, target: { id } })),
    )
    return removed
  })
}

/** Deletes the blocks that have ended, which have no effect any more. */
export async function sweepBlockedNetworks({ db }: Pick<Deps, 'db'>, now: number): Promise<void> {
  await db.deleteFrom('blocked_networks').where('expires_at', '<=', now).execute()
}
