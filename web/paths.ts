// The page's own addresses.

export const paths = {
  home: '/',
  login: '/login',
  register: '/register',
  dashboard: '/dashboard',
  notifications: '/notifications',
  apiKeys: '/api-keys',
  account: '/account',
  apiDocs: '/api-docs',
  apiDocsPage: '/pages/api-docs',
  admin: '/admin',
  about: '/about',
  contact: '/contact',
  privacy: '/privacy',
  terms: '/terms',
} as const

/** The login page that leads back to `next` afterwards. */
export const loginFor = (next: string) => `${paths.login}?next=${encodeURIComponent(next)}`

/**
 * Where to go after a login: `next` if it is a path of this origin, else the dashboard. Browsers read `//host`, `/\host`
 * and `/<tab>/host` as another host, so these are not paths.
 */
export function nextPath(next: string | null): string {
  const isOwnPath = next !== null && /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(next)
  const isAboutLogin = isOwnPath && /^\/(login|register)\b/.test(next)
  return isOwnPath && !isAboutLogin ? next : paths.dashboard
}
