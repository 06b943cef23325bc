// How many uploads of guests run at the same time from one address, and how long others wait.
import { createKeyedSemaphores } from '../../concurrency/semaphore.ts'
import type { Caller } from '../shared/caller.ts'
import type { Deps } from '../shared/deps.ts'
import { Failure } from '../shared/failure.ts'

/**
 * Concurrent guest uploads per client address: several tabs and people, of which some have slow lines. Queued
 * requests wait with their bodies unread, for less time than proxies wait for the server to read on.
 */
const guestSlot = createKeyedSemaphores({
  permits: 8,
  maxQueued: 100,
  maxWaitMs: 30_000,
  rejectWith: () => new Failure('busy', {}, { retryAfterS: 2 }),
})

/** Waits for the place of a guest among those of the same address. Others need none. @throws {Failure} busy */
export async function uploadSlot({ config }: Deps, caller: Caller, address: string): Promise<Disposable | undefined> {
  const isLimited = caller.kind === 'guest' && config.GUEST_UPLOADS_PER_HOUR > 0
  return isLimited ? guestSlot(address) : undefined
}
