// The first requests of a signed-in user's page, sent by the document itself (web/app/early.ts)
// while its scripts load.
import { paths } from '../paths.ts'

/** Every page's, as client.getMe sends it. */
const userPath = '/api/me'
/** What a page shows first, by its path and search, as the page's script requests it. */
const firstPaths: Readonly<Record<string, string>> = {
  [paths.dashboard]: '/api/images?sort=newest&limit=100',
  [paths.notifications]: '/api/expiring-images',
  [paths.admin]: '/api/database/stats',
  [`${paths.admin}?tab=users`]: '/api/users',
  [`${paths.admin}?tab=images`]: '/api/admin/images?limit=100',
}
/** A response that nothing has taken by then is stale. */
const validMs = 10_000

interface EarlyRequest {
  token: string
  /** Undefined after any failure: the page then sends the request itself. */
  response: Promise<Response | undefined>
}

declare global {
  /** By path. Two scripts share it: the one in the document and the page's. */
  var earlyRequests: Map<string, EarlyRequest> | undefined
}

/**
 * Sends the first requests of the page at `address`, its path and search.
 * @returns the response to the page's own request, which the page will read: only a clone may be
 * read here. Undefined where the page has no such request, and after any failure
 */
export function sendEarlyRequests(address: string, token: string): EarlyRequest['response'] | undefined {
  const pagePath = firstPaths[address]
  const sent = pagePath === undefined ? [userPath] : [userPath, pagePath]
  const requests = new Map(sent.map((path) => [path, { token, response: fetchEarly(path, token) }]))
  globalThis.earlyRequests = requests
  setTimeout(() => requests.clear(), validMs)
  return requests.get(pagePath ?? '')?.response
}

async function fetchEarly(path: string, token: string): Promise<Response | undefined> {
  const aborting = new AbortController()
  const timeout = setTimeout(() => aborting.abort(), validMs)
  try {
    const response = await fetch(path, { headers: { authorization: `Bearer ${token}` }, signal: aborting.signal })
    return response.ok ? response : undefined
  } catch (error) {
    console.info(`Not loaded early: ${path}`, error)
    return undefined
  } finally {
    clearTimeout(timeout)
  }
}

/** Returns the response to an early request, once; undefined when there was none with this token. */
export async function takeEarlyResponse(path: string, token: string | null): Promise<Response | undefined> {
  const request = globalThis.earlyRequests?.get(path)
  globalThis.earlyRequests?.delete(path)
  return request?.token === token ? request?.response : undefined
}
