// Wrong passwords of links, limited like wrong logins.
import { limits } from '../../../contract/plain/limits.ts'
import { networksPerSite, siteOf } from '../../concurrency/ipv6-site.ts'
import type { Deps } from '../shared/deps.ts'
import { throttleFailures } from '../shared/throttle.ts'

interface Attempt {
  link: { id: string }
  /** Of the client. */
  address: string
}

const { limit, windowMs } = limits.links.passwordTries

/** Of all addresses together: many clients try no more than a few hundred passwords an hour. */
const tooManyOfLink = 10 * limit

/** @param check returns null for a wrong password. @throws {Failure} too_many_requests */
export function throttleLinkPasswords<T>(
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
