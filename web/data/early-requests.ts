// The first requests of the dashboard, sent by the document itself (web/app/early.ts) while its scripts load.
import { readToken } from './storage.ts'

/** As client.getMe and loadGallery send them. */
const userPath = '/api/me'
const firstPagePath = '/api/images?sort=newest&limit=100'
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

/** Sends the requests of a dashboard without a search, where a session is stored. */
export function sendEarlyRequests(): void {
  const token = readToken()
  if (token === null) return
  const sent = location.search === '' ? [userPath, firstPagePath] : [userPath]
  globalThis.earlyRequests = new Map(sent.map((path) => [path, { token, response: fetchEarly(path, token) }]))
  setTimeout(() => globalThis.earlyRequests?.clear(), validMs)
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
