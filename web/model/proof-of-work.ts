// Solves the server's proof-of-work challenge: a number whose SHA-256 with the challenge begins with
// zero bits. A hash per call of crypto.subtle would take ten times as long.

/** Between two pauses, so that the page stays responsive. */
const sliceMs = 12

/** @param challenge `bits.expiry.nonce.signature` @returns the proof for the header X-Proof-Of-Work */
export async function solveChallenge(challenge: string, signal?: AbortSignal): Promise<string> {
  const [bits, , nonce = ''] = challenge.split('.')
  const threshold = 2 ** (32 - Number(bits))
  for (let solution = 0; ;) {
    signal?.throwIfAborted()
    for (const end = performance.now() + sliceMs; performance.now() < end;) {
      for (const last = solution + 500; solution < last; solution++) {
        if (firstWordOfSha256(`${nonce}.${solution}`) < threshold) return `${challenge}.${solution}`
      }
    }
    await new Promise((resolve) => setTimeout(resolve))
  }
}

const primes = (count: number) => {
  const found: number[] = []
  for (let n = 2; found.length < count; n++) if (found.every((prime) => n % prime !== 0)) found.push(n)
  return found
}
/** The first 32 bits of the fraction, as FIPS 180-4 defines the constants. */
const fraction = (value: number) => ((value - Math.floor(value)) * 2 ** 32) | 0
const constants = Int32Array.from(primes(64), (prime) => fraction(Math.cbrt(prime)))
const initial = Int32Array.from(primes(8), (prime) => fraction(Math.sqrt(prime)))
const words = new Int32Array(64)

function setByte(at: number, value: number): void {
  words[at >> 2] = (words[at >> 2] as number) | (value << (24 - 8 * (at & 3)))
}

const rotate = (x: number, by: number) => (x >>> by) | (x << (32 - by))

/** @param text ASCII, at most 55 characters: one block */
export function firstWordOfSha256(text: string): number {
  words.fill(0, 0, 16)
  for (let at = 0; at < text.length; at++) setByte(at, text.charCodeAt(at))
  setByte(text.length, 0x80)
  words[15] = text.length * 8
  for (let at = 16; at < 64; at++) {
    const [x, y] = [words[at - 15] as number, words[at - 2] as number]
    const s0 = rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3)
    const s1 = rotate(y, 17) ^ rotate(y, 19) ^ (y >>> 10)
    words[at] = (words[at - 16] as number) + s0 + (words[at - 7] as number) + s1
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = initial
  for (let at = 0; at < 64; at++) {
    const choice = (e & f) ^ (~e & g)
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
    const t1 = (h + s1 + choice + (constants[at] as number) + (words[at] as number)) | 0
    const majority = (a & b) ^ (a & c) ^ (b & c)
    const t2 = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + majority) | 0
    h = g
    g = f
    f = e
    e = (d + t1) | 0
    d = c
    c = b
    b = a
    a = (t1 + t2) | 0
  }
  return (a + (initial[0] as number)) >>> 0
}
