// argon2id. A hash costs 19 MiB and 13 ms of a core, so only `cores` run at once and a bounded queue waits behind them.
import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { createSemaphore } from '../concurrency/semaphore.ts'
import { Failure } from './failure.ts'

/** OWASP's second recommended setting; the package's algorithm default is argon2id. */
const parameters = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 }
/** Hashes that may wait for a free core; further ones are rejected with 503 and Retry-After. */
const maxQueued = 50
const withPermit = createSemaphore({
  permits: availableParallelism(),
  maxQueued,
  rejectWith: () => new Failure('busy', {}, { retryAfterS: 2 }),
})
let made = 0

/** How often a password or PIN was hashed since the start, right ones, wrong ones and those of no account. */
export const hashCount = (): number => made

/** @throws {Failure} busy, when too many are waiting */
export function hashPassword(password: string): Promise<string> {
  return withPermit(() => {
    made++
    return hash(password, parameters)
  })
}

/**
 * Whether the password is the one that was hashed. With `null` (no such account) it takes the same time and answers false.
 * @throws {Failure} busy, when too many are waiting
 */
export function passwordMatches(password: string, passwordHash: string | null): Promise<boolean> {
  return withPermit(async () => {
    made++
    const matches = await verify(passwordHash ?? (await noOnesHash), password)
    return matches && passwordHash !== null
  })
}

/** Whether a hash was made with other parameters than those of today: its password is hashed anew when it is given next. */
export function isOutdated(passwordHash: string): boolean {
  const { memoryCost, timeCost, parallelism } = parameters
  return !passwordHash.startsWith(`$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$`)
}

const noOnesHash = hash('the password of no account', parameters)
