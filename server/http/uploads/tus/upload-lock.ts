// Lets one request at a time work on a resumable upload. A newer one asks the holder to stop: the connection
// of the one before is mostly lost, unnoticed. (The library's own locker waits in a busy loop.)
import { setTimeout as sleep } from 'node:timers/promises'
import type { Locker } from '@tus/server'

/** After this time without a byte the holder's connection counts as lost. */
const silentMs = 200
/** The holder may be a page that goes on sending: a newer request does not wait for longer. */
const maxDrainMs = 3000
const pollMs = 25

interface Holder {
  requestRelease: () => Promise<void> | void
  released: Promise<void>
  release: () => void
}

/**
 * Bytes that were on their way when a page was reloaded still arrive for a moment: they are received before the newer
 * request learns how many there are.
 * @param lastByteAt when the upload's request has received its last byte, by performance.now(); undefined without a request
 */
export function createUploadLocker(lastByteAt: (id: string) => number | undefined): Locker {
  const holders = new Map<string, Holder>()

  /** Waits while the holder receives bytes, `maxDrainMs` at most. @returns whether it has ended */
  async function drain(id: string, { released }: Holder): Promise<boolean> {
    const started = performance.now()
    let isReleased = false
    const ended = released.then(() => void (isReleased = true))
    for (let now = started; !isReleased && now - started < maxDrainMs; now = performance.now()) {
      if (now - (lastByteAt(id) ?? -Infinity) > silentMs) break
      await Promise.race([ended, sleep(pollMs)])
    }
    return isReleased
  }

  return {
    newLock: (id) => ({
      async lock(_signal, requestRelease) {
        for (let holder = holders.get(id); holder; holder = holders.get(id)) {
          if (!(await drain(id, holder))) await holder.requestRelease()
          await holder.released
        }
        let release = () => {}
        const released = new Promise<void>((resolve) => (release = resolve))
        holders.set(id, { requestRelease, released, release })
      },
      async unlock() {
        const holder = holders.get(id)
        holders.delete(id)
        holder?.release()
      },
    }),
  }
}
