// Enters the password of a link. Wrong ones are limited like wrong logins.
import { limits } from '../../../contract/plain/limits.ts'
import { networksPerSite, siteOf } from '../../concurrency/ipv6-site.ts'
import { passwordMatches } from '../accounts/passwords.ts'
import type { Deps } from '../shared/deps.ts'
import { Failure } from '../shared/failure.ts'
import { throttleFailures } from '../shared/throttle.ts'
import { countVisit } from './count-visit.ts'
import { findOpenLink } from './find-open-link.ts'
import { hasCookie, linkCookie } from './link-cookies.ts'

interface PasswordEntry {
  slug: string
  /** The header Cookie. */
  cookie: string | undefined
  siteUrl: string
  password: string
  /** Of the client. */
  address: string
}

/**
 * Checks the password, and counts the visit: the page that follows is opened from a page of this site.
 * @returns the headers Set-Cookie
 * @throws {Failure} link_not_found, as openLink; wrong_link_password; too_many_requests, busy
 */
export async function enterLink(
  deps: Deps,
  { slug, cookie, password, address, siteUrl }: PasswordEntry,
): Promise<string[]> {
  const { link } = await findOpenLink(deps, { slug, cookie })
  if (link.views_left === 0 && !hasCookie(deps, 'visit', link, cookie)) throw new Failure('link_not_found')
  const { password_hash: hash } = link
  if (hash === null || password.length > limits.account.maxPasswordLength) throw new Failure('wrong_link_password')
  const matched = await throttleLinkPasswords(deps, { link, address }, async () =>
    (await passwordMatches(password, hash)) ? true : null,
  )
  if (!matched) throw new Failure('wrong_link_password')
  const pass = linkCookie(deps, 'pass', link, siteUrl)
  // Of limited views, the page takes one.
  if (link.views_left !== null || hasCookie(deps, 'visit', link, cookie)) return [pass]
  const visit = await countVisit(deps, link, { siteUrl, isRobot: false, isHead: false, isFromOwnPage: false })
  return [pass, ...(visit === undefined ? [] : [visit])]
}

interface Attempt {
  link: { id: string }
  /** Of the client. */
  address: string
}

const { limit, windowMs } = limits.links.passwordTries

/** Of all addresses together: many clients try no more than a few hundred passwords an hour. */
const tooManyOfLink = 10 * limit

/** @param check returns null for a wrong password. @throws {Failure} too_many_requests */
function throttleLinkPasswords<T>(
  deps: Pick<Deps, 'counters' | 'now'>,
  { link, address }: Attempt,
  check: () => Promise<T | null>,
): Promise<T | null> {
  const limited = (key: string, most: number, attempt: () => Promise<T | null>) =>
    throttleFailures(deps, { key: `link-password:${link.id}${key}`, limit: most, windowMs }, attempt)
  const site = siteOf(address)
  const ofAddress = () => limited(` ${address}`, limit, check)
  const ofSite = () => (site === undefined ? ofAddress() : limited(` ${site}`, limit * networksPerSite, ofAddress))
  return limited('', tooManyOfLink, ofSite)
}
