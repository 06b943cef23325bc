// The uploads that this process is receiving or processing, whose space is not taken yet.
import type { Amount } from '../shared/disk-space.ts'
import type { UploadsInFlight } from '../shared/ports.ts'

export function createUploadsInFlight(): UploadsInFlight {
  const amounts = new Map<string | null, Amount>()
  const all: Amount = { images: 0, bytes: 0 }
  const of = (owner: string | null): Amount => amounts.get(owner) ?? { images: 0, bytes: 0 }

  function change(owner: string | null, images: number, bytes: number): void {
    all.images += images
    all.bytes += bytes
    const before = of(owner)
    const after = { images: before.images + images, bytes: before.bytes + bytes }
    if (after.images === 0 && after.bytes === 0) amounts.delete(owner)
    else amounts.set(owner, after)
  }

  return {
    add(owner, bytes, images = 1) {
      change(owner, images, bytes)
      let hasEnded = false
      return () => {
        if (!hasEnded) change(owner, -images, -bytes)
        hasEnded = true
      }
    },
    of,
    total: () => ({ ...all }),
  }
}
