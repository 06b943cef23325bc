import { LRUCache } from 'lru-cache'

/**
 * A cache of at most `maxEntries`, which takes memory as it grows. The library's `max` takes that of all entries at once: 200 kB
 * and most of a millisecond for ten thousand, and a server has a dozen such caches.
 */
export const createLru = <Value extends object | boolean>(maxEntries: number): LRUCache<string, Value> =>
  new LRUCache({ maxSize: maxEntries, sizeCalculation: () => 1 })
