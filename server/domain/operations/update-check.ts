// Looks up the newest release of the product, if UPDATE_CHECK has an address.
import { z } from 'zod'
import { findStoredValue, storeValue } from '../../db/stored-values.ts'
import { dayMs } from '../../../contract/plain/limits.ts'
import { productVersion } from '../../installation.ts'
import type { Deps } from '../shared/deps.ts'

const setting = 'newest_release'
const timeoutMs = 10_000
/** A release of GitHub with its notes has some kilobytes. */
const maxBytes = 1024 ** 2
/** Servers on one database share the check; the job runs every hour. */
const intervalMs = dayMs - 60 * 60 * 1000

const release = z.string().regex(/^v?\d{1,6}\.\d{1,6}\.\d{1,6}$/)
/** Of the npm registry (NAME/latest), and of GitHub and Forgejo (releases/latest). */
const response = z
  .union([z.object({ version: release }), z.object({ tag_name: release })])
  .transform((found) => ('version' in found ? found.version : found.tag_name).replace(/^v/, ''))

const stored = z.object({ checkedAt: z.number(), version: z.string() })

/**
 * Called by an hourly job, it sends about one request a day, which tells nothing about this instance but its IP address. A
 * failure is logged, and the version found before is kept.
 */
export async function checkForUpdate(deps: Pick<Deps, 'config' | 'db' | 'log'>, now: number): Promise<void> {
  const url = deps.config.UPDATE_CHECK
  const last = await findRelease(deps)
  if (url === undefined || (last && now - last.checkedAt < intervalMs)) return
  let version = last?.version ?? productVersion()
  try {
    version = await fetchRelease(url)
  } catch (error) {
    deps.log.warn({ err: error, url }, 'UPDATE_CHECK: the newest release could not be looked up')
  }
  await storeValue(deps.db, setting, JSON.stringify({ checkedAt: now, version }))
}

/** The newest release that was found, if it is newer than this version. */
export async function findNewerVersion(deps: Pick<Deps, 'config' | 'db'>): Promise<string | null> {
  if (deps.config.UPDATE_CHECK === undefined) return null
  const found = await findRelease(deps)
  return found && isNewer(found.version, productVersion()) ? found.version : null
}

async function findRelease({ db }: Pick<Deps, 'db'>): Promise<z.output<typeof stored> | undefined> {
  const found = await findStoredValue(db, setting)
  return found === undefined ? undefined : stored.parse(JSON.parse(found))
}

async function fetchRelease(url: string): Promise<string> {
  const found = await fetch(url, {
    headers: { accept: 'application/json', 'user-agent': 'Image Host' },
    signal: AbortSignal.timeout(timeoutMs),
  })
  if (!found.ok) throw new Error(`${url} responds with ${found.status}`)
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of found.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > maxBytes) throw new Error(`${url} responds with more than ${maxBytes} bytes`)
  }
  return response.parse(JSON.parse(text))
}

/**
 * Whether the release `version` is newer than `than`, which may be a build before a release: 0.3.0 is newer than 0.3.0-dev.
 */
export function isNewer(version: string, than: string): boolean {
  const [a, b] = [version, than].map((text) => text.split('.').map((part) => Number.parseInt(part, 10))) as [
    number[],
    number[],
  ]
  const at = a.findIndex((part, index) => part !== b[index])
  return at < 0 ? than.includes('-') : (a[at] ?? 0) > (b[at] ?? 0)
}
