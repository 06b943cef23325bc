// Uploads of which the server has a part, so that a later attempt continues there, after a reload too.
import { dayMs } from '../../../../contract/plain/limits.ts'
import { jsonIn, readStored, writeStored } from '../../../model/browser-storage.ts'
import { token } from '../../../model/token.ts'

interface Started {
  /** Path of the upload on the server. */
  path: string
  /** Epoch ms. */
  at: number
}

const key = 'started_uploads'
/** The server deletes a part after that time. */
const maxAgeMs = dayMs
/** Where storage is refused, and with the tokens that must not be stored: those that have begun each upload. */
const inThisPage = new Map<string, Started & { token: string | null }>()

/** The same for the same file chosen again. */
export const fingerprintOf = ({ name, type, size, lastModified }: File) => [name, type, size, lastModified].join('\n')

export const findStarted = (name: string): string | undefined => (inThisPage.get(name) ?? read()[name])?.path

export function addStarted(name: string, path: string): void {
  const at = Date.now()
  inThisPage.set(name, { path, at, token: token.get() })
  write({ ...read(), [name]: { path, at } })
}

export function removeStarted(name: string): void {
  inThisPage.delete(name)
  const { [name]: removed, ...others } = read()
  if (removed !== undefined) write(others)
}

/** The rest of a file that was sent by itself is sent by a queue, which finds it by the id of the upload. */
export function renameStarted(from: string, to: string): void {
  const path = findStarted(from)
  if (path === undefined) return
  removeStarted(from)
  addStarted(to, path)
}

/** Lets the server delete its part of an upload whose rest will not come. */
export function endStarted(name: string): void {
  const path = findStarted(name)
  if (path === undefined) return
  const owner = inThisPage.get(name)?.token ?? token.get()
  removeStarted(name)
  const headers = { 'tus-resumable': '1.0.0', ...(owner !== null && { authorization: `Bearer ${owner}` }) }
  fetch(path, { method: 'DELETE', headers, keepalive: true }).catch((error: unknown) =>
    console.info('The server keeps the part of an upload for a day', error),
  )
}

/** Also those that other visits of this browser have begun. */
export function endAllStarted(): void {
  for (const name of inThisPage.keys()) endStarted(name)
  writeStored(key, null)
}

const write = (all: Record<string, Started>) => writeStored(key, JSON.stringify(all))

const read = (): Record<string, Started> =>
  Object.fromEntries(Object.entries(Object(jsonIn(readStored(key), key)) as object).filter(isCurrent))

/** Storage is untrusted: requests with the session's token go to the path. */
function isCurrent(entry: [string, unknown]): entry is [string, Started] {
  const { path, at } = (entry[1] ?? {}) as Partial<Started>
  return typeof path === 'string' && /^\/api\/uploads\/[\w-]+$/.test(path) && Date.now() - Number(at) < maxAgeMs
}
