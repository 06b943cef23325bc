// How much of ZIP files a client address may download, and how many at a time: each keeps a file of the store open.
import { hourMs, limits, minuteMs } from '../../../../contract/plain/limits.ts'
import { TokenBuckets } from '../../../concurrency/token-buckets.ts'
import { Failure } from '../../../domain/shared/failure.ts'
import { tooManyRequests } from '../../../domain/shared/throttle.ts'

interface LinkDownload {
  /**
   * Counts what is sent, so that a download that is broken off costs no more than that; and a quarter of what is read again
   * before it.
   * @param from the first byte that is sent
   */
  counted(chunks: AsyncIterable<Uint8Array>, from: number): AsyncGenerator<Uint8Array>
  end(): void
}

/** Several people may share an address: one does not end what another downloads. */
interface Visitor {
  /** What the request says about who it is; empty: nothing. */
  sent: string
  /** What the next request of the same visitor says. */
  next: string
}

export interface RequestedDownload {
  address: string
  /** What is downloaded. */
  of: string
  visitor: Visitor
  /** An earlier connection broke off, which the server may not have noticed. */
  isResumed: boolean
  /** Closes the connection. */
  onReplaced: () => void
}

interface Running extends Pick<RequestedDownload, 'of' | 'visitor' | 'onReplaced'> {
  movedAtMs: number
}

/** What the checksums of a resumed file need is read from the store and not sent. */
const readAgainShare = 0.25
/** The client of a resumed file takes nothing over its broken connection. One that reads slowly takes something more often. */
const stalledMs = 5000

interface Options {
  archives?: { bytesPerHour: number; maxOfAddress: number; maxOfAll: number }
  /** A monotonic clock in milliseconds. */
  now?: () => number
}

/** @returns a function that starts a download. @throws {Failure} too_many_requests, busy */
export function createLinkDownloads({
  archives = limits.links.archives,
  now = () => performance.now(),
}: Options = {}): (requested: RequestedDownload) => LinkDownload {
  const { bytesPerHour, maxOfAddress, maxOfAll } = archives
  const budget = new TokenBuckets({ capacity: bytesPerHour, perMs: bytesPerHour / hourMs, now })
  const running = new Map<string, Set<Running>>()
  let total = 0

  function end(address: string, download: Running): void {
    const ofAddress = running.get(address)
    if (ofAddress?.delete(download) !== true) return
    total--
    if (ofAddress.size === 0) running.delete(address)
  }

  /** Ends the download that the resumed one continues. */
  function replace({ address, of, visitor }: RequestedDownload): void {
    const [stalled] = [...(running.get(address) ?? [])]
      .filter((one) => one.of === of && isSame(one.visitor, visitor) && now() - one.movedAtMs >= stalledMs)
      .toSorted((a, b) => a.movedAtMs - b.movedAtMs)
    if (stalled === undefined) return
    end(address, stalled)
    stalled.onReplaced()
  }

  return (requested) => {
    const { address, of, visitor, isResumed, onReplaced } = requested
    const isFull = () => (running.get(address)?.size ?? 0) >= maxOfAddress
    if (budget.left(address) <= 0) throw tooManyRequests(budget.waitMs(address, 1))
    if (isResumed && (isFull() || total >= maxOfAll)) replace(requested)
    if (isFull()) throw tooManyRequests(minuteMs)
    if (total >= maxOfAll) throw new Failure('busy', {}, { retryAfterS: minuteMs / 1000 })
    const download: Running = { of, visitor, onReplaced, movedAtMs: now() }
    running.set(address, (running.get(address) ?? new Set()).add(download))
    total++
    return {
      async *counted(chunks, from) {
        let at = 0
        for await (const chunk of chunks) {
          const again = Math.min(Math.max(from - at, 0), chunk.length)
          at += chunk.length
          budget.spend(address, chunk.length - again * (1 - readAgainShare))
          download.movedAtMs = now()
          yield chunk
        }
      },
      end: () => end(address, download),
    }
  }
}

/** Clients without cookies are told apart by nothing but their address. */
const isSame = (running: Visitor, { sent }: Visitor): boolean =>
  sent === '' ? running.sent === '' : sent === running.sent || sent === running.next
