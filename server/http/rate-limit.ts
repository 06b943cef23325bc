// Limits API requests per minute by account or address (docs/specification.md, section 8).
import type { FastifyReply } from 'fastify'
import { limits } from '../../contract/limits.ts'
import { type Credential, identify } from '../domain/accounts/sessions.ts'
import type { Caller, UserCaller } from '../domain/caller.ts'
import type { Deps } from '../domain/deps.ts'
import { throttleSite, tooManyRequests } from '../domain/throttle.ts'

/**
 * Identifies the caller and counts the request. Invalid credentials count for the address.
 * @param read returns the credential, or throws
 * @throws {Failure} invalid_token, api_key_expired, inactive_account, api_key_in_url,
 * too_many_requests
 */
export async function identifyWithinRate(
  deps: Deps,
  reply: FastifyReply,
  address: string,
  read: () => Credential | undefined,
): Promise<Caller> {
  let caller: Caller
  try {
    caller = await identify(deps, read(), address)
  } catch (error) {
    await countAddress(deps, reply, address)
    throw error
  }
  if (caller.kind === 'guest') await countAddress(deps, reply, address)
  else await count(deps, reply, limitOf(deps, caller))
  return caller
}

/** @throws {Failure} too_many_requests */
export async function countAddress(deps: Deps, reply: FastifyReply, address: string): Promise<void> {
  const { RATE_LIMIT: limit } = deps.config
  // First, as in throttleAddress.
  await throttleSite(deps, address, { key: 'api-address', limit, windowMs: limits.rateWindowMs })
  await count(deps, reply, { key: `api-address:${address}`, limit })
}

/** API keys count for their account: with a counter of its own, each new key would raise the limit. */
function limitOf({ config }: Deps, { account }: UserCaller) {
  return {
    key: `api-user:${account.id}`,
    limit: account.role === 'admin' ? config.RATE_LIMIT_ADMIN : config.RATE_LIMIT,
  }
}

/** Header names of the IETF draft "RateLimit header fields for HTTP"; the reset is in seconds. */
async function count(deps: Deps, reply: FastifyReply, { key, limit }: { key: string; limit: number }): Promise<void> {
  if (limit === 0) return
  const now = deps.now()
  const { hits, endsAt } = await deps.counters.hit(key, limits.rateWindowMs, now)
  reply.headers({
    'ratelimit-limit': limit,
    'ratelimit-remaining': Math.max(0, limit - hits),
    'ratelimit-reset': Math.max(1, Math.ceil((endsAt - now) / 1000)),
  })
  if (hits > limit) throw tooManyRequests(endsAt - now)
}
