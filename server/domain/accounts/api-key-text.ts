// The text of API keys: `ik_`, 256 random bits in base 62, and a checksum by which scanners
// recognize leaked keys offline.
import { crc32 } from 'node:zlib'
import type { Deps } from '../shared/deps.ts'

const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const bodyLength = 43
const sumLength = 6

export function newKeyText({ randomBytes }: Pick<Deps, 'randomBytes'>): string {
  const key = `ik_${base62(BigInt(`0x${randomBytes(32).toString('hex')}`), bodyLength)}`
  return key + sum(key)
}

export const hasValidChecksum = (key: string) => sum(key.slice(0, -sumLength)) === key.slice(-sumLength)

const sum = (text: string) => base62(BigInt(crc32(text)), sumLength)

function base62(value: bigint, length: number): string {
  let rest = value
  let text = ''
  for (; rest > 0n; rest /= 62n) text = letters.charAt(Number(rest % 62n)) + text
  return text.padStart(length, '0')
}
