// Limits API requests per minute by account or address (docs/reference.md). Requests of uploads have
// a limit of their own, so that the pages of a user who uploads many files load (docs/decisions/0061).
import type { FastifyReply } from 'fastify'
import { limits } from '../../../contract/plain/limits.ts'
import { type Credential, identify } from '../../domain/accounts/sessions.ts'
import type { Caller, UserCaller } from '../../domain/shared/caller.ts'
import type { Deps } from '../../domain/shared/deps.ts'
import { throttleSite, tooManyRequests } from '../../domain/shared/throttle.ts'

/** The counter of a request, and how many times RATE_LIMIT it allows. */
const budgets = {
  request: { key: 'api', factor: 1 },
  upload: { key: 'upload-request', factor: limits.rate.uploadFactor },
}

export type RequestKind = keyof typeof budgets

/** The counter that the RateLimit headers of a response describe. */
const countedAs = new WeakMap<FastifyReply, RequestKind>()
export const isCountedAsUpload = (reply: FastifyReply) => countedAs.get(reply) === 'upload'

/**
 * Identifies the caller and counts the request. Invalid credentials count for the address, as an
 * ordinary request: uploads give no more guesses than other requests.
 * @param read returns the credential, or throws
 * @throws {Failure} invalid_token, api_key_unknown, api_key_expired, inactive_account, api_key_in_url,
 * too_many_requests
 */
export async function identifyWithinRate(
  deps: Deps,
  reply: FastifyReply,
  address: string,
  read: () => Credential | undefined,
  kind: RequestKind = 'request',
): Promise<Caller> {
  let caller: Caller
  try {
    caller = await identify(deps, read(), address)
  } catch (error) {
    await countAddress(deps, reply, address)
    throw error
  }
  if (caller.kind === 'guest') await countAddress(deps, reply, address, kind)
  else await countUser(deps, reply, caller, kind)
  return caller
}

/** @throws {Failure} too_many_requests */
export async function countAddress(
  deps: Deps,
  reply: FastifyReply,
  address: string,
  kind: RequestKind = 'request',
): Promise<void> {
  const { key, factor } = budgets[kind]
  const limit = deps.config.RATE_LIMIT * factor
  // First, as in throttleAddress.
  await throttleSite(deps, address, { key: `${key}-address`, limit, windowMs: limits.rateWindowMs })
  await count(deps, reply, { kind, key: `${key}-address:${address}`, limit })
}

/**
 * API keys count for their account: with a counter of its own, each new key would raise the limit.
 * @throws {Failure} too_many_requests
 */
export async function countUser(
  deps: Deps,
  reply: FastifyReply,
  { account }: UserCaller,
  kind: RequestKind = 'request',
): Promise<void> {
  const { RATE_LIMIT, RATE_LIMIT_ADMIN } = deps.config
  const { key, factor } = budgets[kind]
  const limit = (account.role === 'admin' ? RATE_LIMIT_ADMIN : RATE_LIMIT) * factor
  await count(deps, reply, { kind, key: `${key}-user:${account.id}`, limit })
}

/** Header names of the IETF draft "RateLimit header fields for HTTP"; the reset is in seconds. */
async function count(
  deps: Deps,
  reply: FastifyReply,
  { kind, key, limit }: { kind: RequestKind; key: string; limit: number },
): Promise<void> {
  if (limit === 0) return
  const now = deps.now()
  const { hits, endsAt } = await deps.counters.hit(key, limits.rateWindowMs, now)
  reply.headers({
    'ratelimit-limit': limit,
    'ratelimit-remaining': Math.max(0, limit - hits),
    'ratelimit-reset': Math.max(1, Math.ceil((endsAt - now) / 1000)),
  })
  countedAs.set(reply, kind)
  if (hits > limit) throw tooManyRequests(endsAt - now)
}
