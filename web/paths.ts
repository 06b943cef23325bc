// The paths of the page, and the way to the login and back.
import { albumOfPath, albumPath, isPagePath, pagePathOf, paths, unknownPath } from '../contract/plain/page-paths.ts'

export { albumOfPath, albumPath, pagePathOf, paths, unknownPath }

/** Both show the API documentation. */
export const docsPaths: readonly string[] = [paths.apiDocs, paths.apiDocsPage]

/**
 * What `pages`, a table of the pages for everyone, has for the one that is shown first at `path`. Guests who open the page of
 * a user are sent to the login. Undefined for the landing, and for a user who opens a page of users.
 */
export function guestPageAt<T>(pages: Readonly<Record<string, T>>, path: string, isGuest: boolean): T | undefined {
  const known = pagePathOf(path)
  if (!isPagePath(path) || (isGuest && known === paths.admin)) return pages[unknownPath]
  return pages[known] ?? (isGuest && known !== paths.home ? pages[paths.login] : undefined)
}

/** The login page, which redirects to `next` afterwards. */
export const loginFor = (next: string) => `${paths.login}?next=${encodeURIComponent(next)}`

/**
 * The address after a login: `next` if it is a path of this origin, else the dashboard. Browsers resolve `//host`, `/\host`
 * and `/<tab>/host` to another host, so these are rejected.
 */
export function nextPath(next: string | null): string {
  const isOwnPath = next !== null && /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(next)
  const isAboutLogin = isOwnPath && /^\/(login|register)\b/.test(next)
  return isOwnPath && !isAboutLogin ? next : paths.dashboard
}
