// Uploads by URL: fetches the image into the folder of the upload (docs/decisions/0040).
import type { IncomingMessage } from 'node:http'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { limits } from '../../../contract/plain/limits.ts'
import { createKeyedSemaphores } from '../../concurrency/semaphore.ts'
import { problemOfUrl, RemoteFailed, remoteFailure } from '../../remote/remote-client.ts'
import type { Deps } from '../shared/deps.ts'
import { Failure } from '../shared/failure.ts'
import type { ReceivedFile } from './upload-request.ts'

const { maxRedirects, imageTimeoutMs } = limits.remote

interface FetchOptions {
  folder: string
  maxBytes: number
  /** Reserves space before the body is read. @param bytes as declared, else the most */
  reserve: (bytes: number) => Promise<unknown>
  /** Who fetches: an account or an address. */
  fetchedBy: string
  /** Connects to the host of the URL at a private address too: only for URLs of the operator. */
  allowPrivate?: boolean
  /** For all redirects and the body together. */
  timeoutMs?: number
}

interface FetchedFile extends ReceivedFile {
  /** UTC milliseconds, as its host says. Null at the epoch too: hosts with reproducible files say it of all. */
  modifiedAt: number | null
}

/** Concurrent fetches of one caller. */
const fetchPermit = createKeyedSemaphores({
  permits: 2,
  maxQueued: 20,
  maxWaitMs: imageTimeoutMs,
  rejectWith: () => new Failure('busy', {}, { retryAfterS: 2 }),
})

/**
 * Fetches an image from a public address into `folder`.
 * @throws {Failure} upload_by_url_off; invalid_input: url; url_not_fetched, file_too_large,
 * empty_file, busy; and what `reserve` throws
 */
export async function fetchRemoteImage(
  deps: Pick<Deps, 'config' | 'remote'>,
  written: string,
  options: FetchOptions,
): Promise<FetchedFile> {
  if (!deps.config.UPLOAD_BY_URL) throw new Failure('upload_by_url_off')
  const problem = problemOfUrl(written)
  if (problem !== null) throw new Failure('invalid_input', { field: 'url', problem })
  const url = new URL(written)
  using _permit = await fetchPermit(options.fetchedBy)
  const signal = AbortSignal.timeout(options.timeoutMs ?? imageTimeoutMs)
  try {
    const response = await follow(deps, url, { allowPrivate: options.allowPrivate, signal })
    const path = join(options.folder, 'source')
    await saveBody(response, path, { ...options, signal })
    const modifiedAt = Date.parse(response.headers['last-modified'] ?? '')
    return { folder: options.folder, path, name: nameIn(url), modifiedAt: modifiedAt > 0 ? modifiedAt : null }
  } catch (error) {
    if (error instanceof RemoteFailed)
      throw new Failure('url_not_fetched', { problem: error.message }, { cause: error })
    throw error
  }
}

/** @returns the first response that is no redirect. @throws {RemoteFailed} */
async function follow(
  { remote }: Pick<Deps, 'remote'>,
  first: URL,
  { allowPrivate = false, signal }: { allowPrivate: boolean | undefined; signal: AbortSignal },
): Promise<IncomingMessage> {
  let url = first
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    // Without compression, which would make the number of bytes unknown.
    const headers = { accept: 'image/*', 'accept-encoding': 'identity', 'user-agent': 'Image Host' }
    const isPrivateAllowed = allowPrivate && url.hostname === first.hostname
    const response = await remote.request(url, { method: 'GET', headers, allowPrivate: isPrivateAllowed, signal })
    const { location } = response.headers
    if (![301, 302, 303, 307, 308].includes(response.statusCode ?? 0) || location === undefined) return response
    response.destroy()
    if (problemOfUrl(location, url.href) !== null)
      throw new RemoteFailed('it redirects to an address that is not allowed')
    url = new URL(location, url)
  }
  throw new RemoteFailed(`it redirects more than ${maxRedirects} times`)
}

async function saveBody(
  response: IncomingMessage,
  path: string,
  { maxBytes, reserve, signal }: FetchOptions & { signal: AbortSignal },
): Promise<void> {
  try {
    const { statusCode, headers } = response
    if (statusCode !== 200) throw new RemoteFailed(`it responded with the status ${statusCode}`)
    if (!['identity', undefined].includes(headers['content-encoding']))
      throw new RemoteFailed('it responded with a compressed body')
    const declaredBytes = Number(headers['content-length'] ?? maxBytes)
    if (declaredBytes > maxBytes) throw new Failure('file_too_large', { maxBytes })
    await reserve(declaredBytes)
    await pipeline(readBody(response, { maxBytes, signal }), createWriteStream(path))
  } finally {
    response.destroy()
  }
}

/** @throws {Failure} file_too_large, empty_file. @throws {RemoteFailed} */
async function* readBody(
  response: IncomingMessage,
  { maxBytes, signal }: { maxBytes: number; signal: AbortSignal },
): AsyncGenerator<Buffer> {
  let bytes = 0
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > maxBytes) throw new Failure('file_too_large', { maxBytes })
      yield chunk
    }
  } catch (error) {
    throw error instanceof Failure ? error : remoteFailure(error as Error, signal)
  }
  if (bytes === 0) throw new Failure('empty_file')
}

/** The last segment of the path, as browsers name a download. */
function nameIn({ pathname }: URL): string {
  const segment = pathname.slice(pathname.lastIndexOf('/') + 1)
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
