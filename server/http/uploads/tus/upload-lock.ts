// Lets one request at a time work on a resumable upload. A newer one asks the holder to stop: the connection
// of the one before is mostly lost, unnoticed. (The library's own locker waits in a busy loop.)
import type { Locker } from '@tus/server'

interface Holder {
  requestRelease: () => Promise<void> | void
  released: Promise<void>
  release: () => void
}

export function createUploadLocker(): Locker {
  const holders = new Map<string, Holder>()
  return {
    newLock: (id) => ({
      async lock(_signal, requestRelease) {
        for (let holder = holders.get(id); holder; holder = holders.get(id)) {
          await holder.requestRelease()
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
