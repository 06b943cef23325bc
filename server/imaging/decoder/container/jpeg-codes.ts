// Huffman codes of a JPEG, looked up by the bits that come (ITU-T T.81 Annex C and F.2.2.3).

/** Longer codes are rare: one in a hundred. A table of so many fits into the fastest cache. */
export const shortBits = 10

export interface Codes {
  /** By the next ten bits: a code's length times 256, and its symbol; 0 where the code is longer. */
  short: Uint16Array
  /** By length: the largest code, or -1, and what makes a code an index of its symbol. */
  largest: Int32Array
  offset: Int32Array
  symbols: Uint8Array
}

/**
 * @param table as DHT has it: a byte with its number, 16 counts, the symbols
 * @returns undefined for codes that do not fit into their lengths: libjpeg refuses those
 */
export function codesOf(table: Uint8Array): Codes | undefined {
  const symbols = table.subarray(17)
  const short = new Uint16Array(1 << shortBits)
  const largest = new Int32Array(17).fill(-1)
  const offset = new Int32Array(17)
  let code = 0
  let index = 0
  for (let length = 1; length <= 16; length++, code <<= 1) {
    offset[length] = index - code
    for (let left = table[length] ?? 0; left > 0; left--, code++, index++) {
      if (code >= 1 << length || index >= 256) return undefined
      largest[length] = code
      if (length > shortBits) continue
      const rest = shortBits - length
      short.fill((length << 8) | (symbols[index] ?? 0), code << rest, (code + 1) << rest)
    }
  }
  return { short, largest, offset, symbols }
}
