// View keys: `?key=` opens every address of one private image until its end (docs/decisions/0066). Those that name a link or a
// membership open it as long as that does (docs/decisions/0070).
import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { dayMs, limits } from '../../../../contract/plain/limits.ts'
import type { Deps } from '../../shared/deps.ts'
import { hashSecret, secretMatches } from '../../shared/secrets.ts'
import type { ImagesTable, LinksTable } from '../../../db/schema.ts'

type Signer = Pick<Deps, 'jwtSecret'>
type KeyedImage = Pick<ImagesTable, 'id' | 'view_key_version'>
type KeyedLink = Pick<LinksTable, 'id' | 'version' | 'ends_at'>

/** What a key in an address says. Whether it is signed is another matter. */
export interface ViewKey {
  kind: 'image' | 'link' | 'member'
  /** Of the link or the membership; '' for a key of the image alone. */
  id: string
  /** UTC milliseconds. */
  endsAt: number
  text: string
}

/** 128 bits are enough for a signature that cannot be tried offline (RFC 2104, section 5). */
const signatureBytes = 16

/** @param parts without line breaks; the first one separates kinds of signed texts */
export const signatureOf = ({ jwtSecret }: Signer, parts: readonly (string | number)[]): string =>
  createHmac('sha256', jwtSecret).update(parts.join('\n')).digest().subarray(0, signatureBytes).toString('base64url')

const inSeconds = (endsAt: number) => Math.floor(endsAt / 1000).toString(36)

/**
 * Derived from the server's secret instead of stored. A new `view_key_version` of the image ends all its keys.
 * @param endsAt UTC milliseconds, of which whole seconds count
 * @returns the end in base 36, a dot, and the signature: at most 30 characters of `[\w.-]`
 */
export function viewKeyOf(deps: Signer, image: KeyedImage, endsAt: number): string {
  const end = inSeconds(endsAt)
  return `${end}.${signatureOf(deps, ['view-key', image.id, image.view_key_version, end])}`
}

/** The key that the owner's own page and programs get. Within a day it is the same, so that browsers reuse what they have loaded. */
export const ownViewKeyOf = (deps: Pick<Deps, 'jwtSecret' | 'now'>, image: KeyedImage): string =>
  viewKeyOf(deps, image, nextDayAfter(deps))

const nextDayAfter = ({ now }: Pick<Deps, 'now'>) => (Math.floor(now() / dayMs) + 2) * dayMs

/** The key that the page of a link has: the same for an hour, and good for one to two, or until the link ends. */
export function linkViewKeyOf(deps: Pick<Deps, 'jwtSecret' | 'now'>, image: { id: string }, link: KeyedLink): string {
  const { visitMs } = limits.links
  const endsAt = (Math.floor(deps.now() / visitMs) + 2) * visitMs
  return signLinkKey(deps, image, link, Math.min(endsAt, link.ends_at ?? Infinity))
}

export function signLinkKey(deps: Signer, image: { id: string }, link: KeyedLink, endsAt: number): string {
  const end = inSeconds(endsAt)
  return `${end}.${signatureOf(deps, ['link-key', image.id, link.id, link.version, end])}.l${link.id}`
}

/**
 * The key that a member of an album gets for an image of it, the same all day.
 * @param memberId the row of `album_members`, or for the owner of the album its id
 */
export const memberViewKeyOf = (
  deps: Pick<Deps, 'jwtSecret' | 'now'>,
  image: { id: string },
  memberId: string,
): string => signMemberKey(deps, image, memberId, nextDayAfter(deps))

export function signMemberKey(deps: Signer, image: { id: string }, memberId: string, endsAt: number): string {
  const end = inSeconds(endsAt)
  return `${end}.${signatureOf(deps, ['member-key', image.id, memberId, end])}.m${memberId}`
}

/** Keys are checked against it where there is no image. */
export const noImage: KeyedImage = { id: 'none'.padEnd(22, '0'), view_key_version: 0 }

/** Whether two keys are equal, in constant time. */
export const isSameKey = (given: string, right: string): boolean => secretMatches(given, hashSecret(right))

/** @param key of the kind 'image' */
export const opensImage = (deps: Pick<Deps, 'jwtSecret' | 'now'>, image: KeyedImage, key: ViewKey): boolean =>
  key.kind === 'image' && key.endsAt > deps.now() && isSameKey(key.text, viewKeyOf(deps, image, key.endsAt))

/** Of an update: ends all view keys of the image. */
export const endingViewKeys = { view_key_version: sql<number>`view_key_version + 1` }

/** The key in an address, or in a text with one. */
export const findViewKey = (text: string): string | undefined => /[?&]key=([\w.-]{1,100})/.exec(text)?.[1]

/** @returns undefined: it is no key */
export function parseViewKey(text: string): ViewKey | undefined {
  const [, end, kind = '', id = ''] = /^([\da-z]{1,9})\.[\w-]{22}(?:\.([lm])([\w-]{1,60}))?$/.exec(text) ?? []
  if (end === undefined) return undefined
  return { kind: kinds[kind] ?? 'image', id, endsAt: Number.parseInt(end, 36) * 1000, text }
}

const kinds: Record<string, 'link' | 'member'> = { l: 'link', m: 'member' }

/** Of a key of the image alone, UTC milliseconds; 0: it is none. */
export function viewKeyEnd(text: string): number {
  const key = parseViewKey(text)
  return key?.kind === 'image' ? key.endsAt : 0
}
