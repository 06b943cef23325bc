// The first requests of a signed-in user's page, sent by the document itself (web/app/early.ts)
// while its scripts load.
import { paths } from '../paths.ts'
import { readStored, writeStored } from './browser-storage.ts'

/** Every page's, as client.getMe sends it. */
const userPath = '/api/me'
/** What a page shows first, by its path and search, as the page's script requests it. */
const firstPaths: Readonly<Record<string, readonly string[]>> = {
  [paths.dashboard]: ['/api/images?sort=newest&limit=100'],
  [paths.notifications]: ['/api/expiring-images'],
  [paths.admin]: ['/api/database/stats', '/api/database/backups'],
  [`${paths.admin}?tab=users`]: ['/api/users?limit=25'],
  [`${paths.admin}?tab=images`]: ['/api/admin/images?limit=100'],
}
/** A response that nothing has taken by then is stale. */
const validMs = 10_000

interface EarlyRequest {
  token: string
  /** Undefined when it was not sent. Rejects with a `TimeoutError` after `validMs`. */
  response: Promise<Response | undefined>
}

declare global {
  /** By path. Two scripts share it: the one in the document and the page's. */
  var earlyRequests: Map<string, EarlyRequest> | undefined
}

/**
 * Sends the first requests of the page at `address`, its path and search.
 * @returns the response to the page's first request, which the page will read: only a clone may be
 * read here. Undefined where the page has no such request
 */
export function sendEarlyRequests(address: string, token: string): EarlyRequest['response'] | undefined {
  const user = fetchEarly(userPath, token)
  const requests = new Map<string, EarlyRequest>([[userPath, { token, response: user }]])
  const first = firstPaths[address] ?? []
  const allowed = address.startsWith(paths.admin) && !wasAdmin(token) ? isAdmin(user, token) : undefined
  for (const path of first) {
    // At once, before the scripts take the connections.
    const send = () => fetchEarly(path, token)
    requests.set(path, { token, response: allowed?.then((isAllowed) => (isAllowed ? send() : undefined)) ?? send() })
  }
  // The code that takes a request handles its failure.
  for (const { response } of requests.values()) response.catch(() => {})
  globalThis.earlyRequests = requests
  setTimeout(() => requests.clear(), validMs)
  return requests.get(first[0] ?? '')?.response
}

/** Names the session that was an admin's: from its second visit on, requests do not wait for the role. */
const adminKey = 'admin-session'
const nameOf = (token: string) => token.slice(-16)
const wasAdmin = (token: string) => readStored(adminKey) === nameOf(token)

/** Others would see a refusal in the console of a page that does not exist for them. */
async function isAdmin(user: Promise<Response>, token: string): Promise<boolean> {
  try {
    const { user: found } = (await (await user).clone().json()) as { user?: { role?: string } }
    if (found?.role !== 'admin') return false
    writeStored(adminKey, nameOf(token))
    return true
  } catch (error) {
    console.info('The role is not known early', error)
    return false
  }
}

async function fetchEarly(path: string, token: string): Promise<Response> {
  const aborting = new AbortController()
  const timeout = setTimeout(() => aborting.abort(new DOMException(`No response: ${path}`, 'TimeoutError')), validMs)
  try {
    return await withBody(await fetch(path, { headers: { authorization: `Bearer ${token}` }, signal: aborting.signal }))
  } finally {
    clearTimeout(timeout)
  }
}

/** Resolves when a JSON body is there too: the time limit and the retries of a request apply to it. */
export async function withBody(response: Response): Promise<Response> {
  if (response.headers.get('content-type')?.startsWith('application/json')) await response.clone().arrayBuffer()
  return response
}

/** Returns an early request, once: the first attempt of the page's own. Undefined when there was none with this token. */
export function consumeEarlyRequest(path: string, token: string | null): EarlyRequest['response'] | undefined {
  const request = globalThis.earlyRequests?.get(path)
  globalThis.earlyRequests?.delete(path)
  return request?.token === token ? request?.response : undefined
}
