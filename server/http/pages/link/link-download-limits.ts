// How much of ZIP files a client address may download, and how many at a time: each keeps a file of the store open.
import { hourMs, limits, minuteMs } from '../../../../contract/plain/limits.ts'
import { TokenBuckets } from '../../../concurrency/token-buckets.ts'
import { Failure } from '../../../domain/shared/failure.ts'
import { tooManyRequests } from '../../../domain/shared/throttle.ts'

interface LinkDownload {
  /** Counts what is sent, so that a download that is broken off costs no more than that. */
  counted(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array>
  end(): void
}

/** @returns a function that starts the download of an address. @throws {Failure} too_many_requests, busy */
export function createLinkDownloads(
  archives: { bytesPerHour: number; maxOfAddress: number; maxOfAll: number } = limits.links.archives,
): (address: string) => LinkDownload {
  const { bytesPerHour, maxOfAddress, maxOfAll } = archives
  const budget = new TokenBuckets({ capacity: bytesPerHour, perMs: bytesPerHour / hourMs })
  const running = new Map<string, number>()
  let total = 0

  function change(address: string, by: 1 | -1): void {
    total += by
    const count = (running.get(address) ?? 0) + by
    if (count === 0) running.delete(address)
    else running.set(address, count)
  }

  return (address) => {
    if (budget.left(address) <= 0) throw tooManyRequests(budget.waitMs(address, 1))
    if ((running.get(address) ?? 0) >= maxOfAddress) throw tooManyRequests(minuteMs)
    if (total >= maxOfAll) throw new Failure('busy', {}, { retryAfterS: minuteMs / 1000 })
    change(address, 1)
    return {
      async *counted(chunks) {
        for await (const chunk of chunks) {
          budget.spend(address, chunk.length)
          yield chunk
        }
      },
      end: () => change(address, -1),
    }
  }
}
