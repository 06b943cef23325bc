// Random ids and secrets, and the hashes stored for them.
import { createHash, timingSafeEqual } from 'node:crypto'
import type { Deps } from './deps.ts'

/** 128 random bits in base64url, 22 characters: not sequential and not guessable. */
export const newId = (deps: Pick<Deps, 'randomBytes'>) => deps.randomBytes(16).toString('base64url')

/** 256 random bits in base64url, 43 characters. */
export const newSecret = (deps: Pick<Deps, 'randomBytes'>) => deps.randomBytes(32).toString('base64url')

/** SHA-256 in hex. Random secrets, unlike passwords, cannot be guessed offline. */
export const hashSecret = (secret: string) => createHash('sha256').update(secret).digest('hex')

/** Compares in constant time. */
export function secretMatches(secret: string, hash: string): boolean {
  const given = Buffer.from(hashSecret(secret), 'hex')
  const stored = Buffer.from(hash, 'hex')
  return given.length === stored.length && timingSafeEqual(given, stored)
}
