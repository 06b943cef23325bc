// The paths of the page, and the way to the login and back.
import { albumOfPath, albumPath, paths } from '../contract/plain/page-paths.ts'

export { albumOfPath, albumPath, paths }

/** Both show the API documentation. */
export const docsPaths: readonly string[] = [paths.apiDocs, paths.apiDocsPage]

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
