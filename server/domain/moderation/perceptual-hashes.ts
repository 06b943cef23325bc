// Perceptual hashes in memory, 8 bytes each, that are compared one by one.
import { setImmediate } from 'node:timers/promises'

/** About 2 ms for the eight hashes of an upload; other requests are served in between. */
const comparedAtOnce = 50_000

export interface SimilarHash {
  phash: string
  /** Differing bits, of 64. */
  distance: number
}

export class PerceptualHashList {
  /** Two numbers of 32 bits for each hash. */
  #words = new Uint32Array(1024)
  #size = 0

  get size(): number {
    return this.#size
  }

  /** @param phash 16 hex digits */
  add(phash: string): void {
    if (2 * this.#size === this.#words.length) {
      const larger = new Uint32Array(2 * this.#words.length)
      larger.set(this.#words)
      this.#words = larger
    }
    const [high, low] = wordsOf(phash)
    this.#words[2 * this.#size] = high
    this.#words[2 * this.#size + 1] = low
    this.#size++
  }

  /** Returns the hashes within `maxDistance` of one of the given ones, the nearest first. */
  async near(phashes: readonly string[], maxDistance: number): Promise<SimilarHash[]> {
    // Hashes that are added meanwhile are not compared.
    const [words, end] = [this.#words, 2 * this.#size]
    const wanted = Uint32Array.from(phashes.flatMap(wordsOf))
    const distances = new Map<string, number>()
    for (let from = 0; from < end; from += 2 * comparedAtOnce) {
      if (from > 0) await setImmediate()
      compare(words.subarray(from, Math.min(end, from + 2 * comparedAtOnce)), wanted, maxDistance, distances)
    }
    return [...distances].map(([phash, distance]) => ({ phash, distance })).toSorted((a, b) => a.distance - b.distance)
  }
}

function compare(words: Uint32Array, wanted: Uint32Array, maxDistance: number, distances: Map<string, number>): void {
  for (let at = 0; at < words.length; at += 2) {
    const [high, low] = [words[at] ?? 0, words[at + 1] ?? 0]
    for (let of = 0; of < wanted.length; of += 2) {
      const distance = differingBits(high, wanted[of] ?? 0) + differingBits(low, wanted[of + 1] ?? 0)
      if (distance > maxDistance) continue
      const phash = hexOf(high) + hexOf(low)
      distances.set(phash, Math.min(distance, distances.get(phash) ?? distance))
    }
  }
}

/** Adds the bits in pairs, groups of four and bytes, then the bytes. */
function differingBits(one: number, other: number): number {
  const bits = one ^ other
  const pairs = (bits - ((bits >>> 1) & 0x55555555)) | 0
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

const wordsOf = (phash: string): [high: number, low: number] => [
  Number.parseInt(phash.slice(0, 8), 16),
  Number.parseInt(phash.slice(8), 16),
]

const hexOf = (word: number) => word.toString(16).padStart(8, '0')
