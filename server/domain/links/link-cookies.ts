// The cookies of a link's visitors, for its path only: `visit`, so that a visit counts once, and `pass`, for a password entered.
import { limits } from '../../../contract/plain/limits.ts'
import { linkPath } from '../../../contract/plain/page-paths.ts'
import type { LinksTable } from '../../db/schema.ts'
import { isSameKey, signatureOf } from '../images/sharing/view-keys.ts'
import type { Deps } from '../shared/deps.ts'

type Signer = Pick<Deps, 'jwtSecret' | 'now'>
type CookieName = 'visit' | 'pass'
export type SignedLink = Pick<LinksTable, 'id' | 'version' | 'slug'>

const signed = (deps: Pick<Deps, 'jwtSecret'>, name: CookieName, link: SignedLink, end: string) =>
  `${end}.${signatureOf(deps, [`link-${name}`, link.id, link.version, end])}`

/**
 * The header Set-Cookie. It ends with the visit, and with the next version of the link.
 * @param siteUrl where visitors open the link
 */
export function linkCookie(deps: Signer, name: CookieName, link: SignedLink, siteUrl: string): string {
  const { visitMs } = limits.links
  const value = signed(deps, name, link, Math.ceil((deps.now() + visitMs) / 1000).toString(36))
  const path = linkPath.replace('{slug}', link.slug)
  const secure = siteUrl.startsWith('https:') ? '; Secure' : ''
  return `${name}=${value}; Path=${path}; Max-Age=${visitMs / 1000}; HttpOnly; SameSite=Lax${secure}`
}

/** @param header Cookie, as sent */
export const hasCookie = (deps: Signer, name: CookieName, link: SignedLink, header: string | undefined): boolean =>
  findCookie(deps, name, link, header) !== undefined

/** @param header Cookie, as sent. @returns the value */
function findCookie(deps: Signer, name: CookieName, link: SignedLink, header: string | undefined): string | undefined {
  return cookiesIn(header, name).find((value) => {
    const [end = ''] = value.split('.')
    const isRunning = /^[\da-z]{1,9}$/.test(end) && Number.parseInt(end, 36) * 1000 > deps.now()
    return isRunning && isSameKey(value, signed(deps, name, link, end))
  })
}

/** Of the visit, as one visitor behind an address sends it and others do not. Empty for a client that keeps no cookies. */
export const visitCookie = (deps: Signer, link: SignedLink, header: string | undefined): string =>
  findCookie(deps, 'visit', link, header) ?? ''

/** The value in a header Set-Cookie, which the next request of the visitor sends. Empty without one. */
export const visitIn = (setCookie: string | undefined): string => /^visit=([^;]+)/.exec(setCookie ?? '')?.[1] ?? ''

/** A browser may send several of one name; other links' are of other paths. */
const maxCookies = 5

const cookiesIn = (header: string | undefined, name: CookieName): string[] =>
  [...(header ?? '').matchAll(/(?:^|;)\s*(\w+)=([\w.-]{1,100})\s*(?=;|$)/g)]
    .flatMap(([, found, value]) => (found === name && value !== undefined ? [value] : []))
    .slice(0, maxCookies)
