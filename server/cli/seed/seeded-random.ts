// Deterministic pseudo-random numbers: the sample set depends only on its seed.

export interface SeededRandom {
  /** From 0 (inclusive) to 1 (exclusive). */
  next: () => number
  /** A number between the two. */
  between: (low: number, high: number) => number
  /** An integer from `low` to `high`, both inclusive. */
  whole: (low: number, high: number) => number
  pick: <const L extends readonly [unknown, ...unknown[]]>(from: L) => L[number]
  chance: (share: number) => boolean
}

/** Mulberry32 (Tommy Ettinger, public domain); 32 bits of state suffice. @param seed any text */
export function createSeededRandom(seed: string): SeededRandom {
  let state = Buffer.from(seed).reduce((hash, byte) => Math.imul(hash ^ byte, 16_777_619), 2_166_136_261)
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const whole = (low: number, high: number) => low + Math.floor(next() * (high - low + 1))
  return {
    next,
    between: (low, high) => low + next() * (high - low),
    whole,
    pick: (from) => from[whole(0, from.length - 1)] ?? from[0],
    chance: (share) => next() < share,
  }
}
