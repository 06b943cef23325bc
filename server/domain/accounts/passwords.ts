// argon2id. A hash costs 19 MiB and 13 ms of a core: one per core, behind a bounded queue.
import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { createSemaphore } from '../../concurrency/semaphore.ts'
import { Failure } from '../shared/failure.ts'

/** OWASP's second recommended configuration; argon2id is the package's default algorithm. Memory in KiB. */
export const recommendedCost = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 }
/** Hashes that may wait for a free core; further ones fail with 503 and Retry-After. */
const maxQueued = 50
const acquireCore = createSemaphore({
  permits: availableParallelism(),
  maxQueued,
  rejectWith: () => new Failure('busy', {}, { retryAfterS: 2 }),
})
let hashesMade = 0
let cost = recommendedCost
let dummyHash = hashDummy()

/** Number of passwords and PINs hashed since the start: correct, wrong and of unknown accounts. */
export const hashCount = (): number => hashesMade

/** @throws {Failure} busy when too many are waiting */
export async function hashPassword(password: string): Promise<string> {
  using _core = await acquireCore()
  hashesMade++
  return await hash(password, cost)
}

/**
 * Whether the password matches. Without a hash (no such account, or none with a password) it takes the same time and
 * returns false.
 * @throws {Failure} busy when too many are waiting
 */
export async function passwordMatches(password: string, passwordHash: string | null): Promise<boolean> {
  using _core = await acquireCore()
  hashesMade++
  const matches = await verify(passwordHash || (await dummyHash), password)
  return matches && Boolean(passwordHash)
}

/** Whether a hash has an outdated cost: its password is hashed again at the next login. */
export function isOutdated(passwordHash: string): boolean {
  const { memoryCost, timeCost, parallelism } = cost
  return !passwordHash.startsWith(`$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$`)
}

/** For tests, which spent a sixth of their CPU time on the passwords of hundreds of accounts. */
export function setHashCost(newCost: typeof recommendedCost): void {
  cost = newCost
  dummyHash = hashDummy()
}

function hashDummy(): Promise<string> {
  return hash('the password of no account', cost)
}
