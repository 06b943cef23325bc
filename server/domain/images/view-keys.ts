// View keys: `?key=` opens every address of one private image until its end (docs/decisions/0066).
import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { dayMs } from '../../../contract/plain/limits.ts'
import type { Deps } from '../shared/deps.ts'
import { hashSecret, secretMatches } from '../shared/secrets.ts'
import type { ImagesTable } from '../../db/schema.ts'

type KeyedImage = Pick<ImagesTable, 'id' | 'view_key_version'>

/** 128 bits are enough for a signature that cannot be tried offline (RFC 2104, section 5). */
const signatureBytes = 16

/**
 * Derived from the server's secret instead of stored. A new `view_key_version` of the image ends all its keys.
 * @param endsAt UTC milliseconds, of which whole seconds count
 * @returns the end in base 36, a dot, and the signature: at most 30 characters of `[\w.-]`
 */
export function viewKeyOf({ jwtSecret }: Pick<Deps, 'jwtSecret'>, image: KeyedImage, endsAt: number): string {
  const end = Math.floor(endsAt / 1000).toString(36)
  const signature = createHmac('sha256', jwtSecret)
    .update(`view-key\n${image.id}\n${image.view_key_version}\n${end}`)
    .digest()
    .subarray(0, signatureBytes)
  return `${end}.${signature.toString('base64url')}`
}

/** The key that the owner's own page and programs get. Within a day it is the same, so that browsers reuse what they have loaded. */
export const ownViewKeyOf = (deps: Pick<Deps, 'jwtSecret' | 'now'>, image: KeyedImage): string =>
  viewKeyOf(deps, image, (Math.floor(deps.now() / dayMs) + 2) * dayMs)

export function opensImage(deps: Pick<Deps, 'jwtSecret' | 'now'>, image: KeyedImage, key: string): boolean {
  const endsAt = viewKeyEnd(key)
  return endsAt > deps.now() && secretMatches(key, hashSecret(viewKeyOf(deps, image, endsAt)))
}

/** Of an update: ends all view keys of the image. */
export const endingViewKeys = { view_key_version: sql<number>`view_key_version + 1` }

/** The key in an address, or in a text with one. */
export const findViewKey = (text: string): string | undefined => /[?&]key=([\w.-]{1,100})/.exec(text)?.[1]

/** UTC milliseconds; 0: it is no key. */
export function viewKeyEnd(key: string): number {
  const [, end] = /^([\da-z]{1,9})\.[\w-]{22}$/.exec(key) ?? []
  return end === undefined ? 0 : Number.parseInt(end, 36) * 1000
}
