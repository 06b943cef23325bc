// What is stored and logged of a client's address: LOG_ADDRESSES, and the hash that images carry.
import { createHmac } from 'node:crypto'
import type { Kysely } from 'kysely'
import { siteOf } from '../../concurrency/ipv6-site.ts'
import type { Config } from '../../config.ts'
import type { Schema } from '../../db/schema.ts'
import { findStoredValue, storeFirstValue } from '../../db/stored-values.ts'

const setting = 'address_key'
const keyBytes = 32

interface AddressDeps {
  config: Pick<Config, 'LOG_ADDRESSES'>
  addressKey: Uint8Array
}

/** @returns the key of {@link hashAddress}; undefined before the first start of the instance */
export async function findAddressKey(db: Kysely<Schema>): Promise<Uint8Array | undefined> {
  const found = await findStoredValue(db, setting)
  return found === undefined ? undefined : Buffer.from(found, 'base64url')
}

/** Reads the key, or creates it at the first start. Servers of one database share it. */
export async function loadAddressKey(db: Kysely<Schema>, randomBytes: (count: number) => Buffer): Promise<Uint8Array> {
  const found = await findAddressKey(db)
  if (found) return found
  await storeFirstValue(db, setting, randomBytes(keyBytes).toString('base64url'))
  return (await findAddressKey(db)) as Uint8Array
}

/**
 * HMAC-SHA-256 of a client's network address, hex. Keyed, because all 2^32 IPv4 addresses can be
 * tried in seconds.
 * @param address as RequestContext has it
 */
export const hashAddress = ({ addressKey }: Pick<AddressDeps, 'addressKey'>, address: string): string =>
  createHmac('sha256', addressKey).update(address).digest('hex')

/**
 * Shortens a client's address to its network, which shows where requests come from without
 * identifying a household: /24 of IPv4, /48 of IPv6.
 * @param address as RequestContext has it: an IPv4 address, the /64 network of an IPv6 address, or
 * 'unknown'
 */
export const shortAddress = (address: string): string => siteOf(address) ?? address.replace(/\.\d+$/, '.0/24')

/** An address as LOG_ADDRESSES wants it in log lines and in the audit log. */
export function loggedAddress(deps: AddressDeps, address: string): string {
  if (deps.config.LOG_ADDRESSES === 'full') return address
  return deps.config.LOG_ADDRESSES === 'short' ? shortAddress(address) : hashAddress(deps, address)
}
