// Files that another app, or the form of any site, has shared with this page. The service worker
// (web/sw/sw.ts) stores them until the dashboard reads them.
import { useEffect, useEffectEvent } from 'react'

const cacheName = 'shared'
/** Enough time to log in. Older files may have been shared by another user. */
const maxAgeMs = 15 * 60_000

/** Returns and removes the shared files. */
export async function consumeSharedFiles(now = Date.now()): Promise<File[]> {
  // Missing outside secure contexts, where nothing can be shared with the page either.
  if (!('caches' in globalThis) || !(await caches.has(cacheName))) return []
  const cache = await caches.open(cacheName)
  const responses = await Promise.all((await cache.keys()).map((key) => cache.match(key)))
  await caches.delete(cacheName)
  const fresh = responses.filter(
    (response) => response !== undefined && now - Number(response.headers.get('x-at')) < maxAgeMs,
  )
  return Promise.all(fresh.map((response) => toFile(response as Response)))
}

async function toFile(response: Response): Promise<File> {
  const name = decodeURIComponent(response.headers.get('x-name') ?? '')
  return new File([await response.blob()], name, { type: response.headers.get('content-type') ?? '' })
}

/** Passes shared files to `onFiles` once the component is mounted. */
export function useSharedFiles(onFiles: (files: File[]) => void): void {
  const passOn = useEffectEvent(onFiles)
  useEffect(() => {
    consumeSharedFiles().then(
      (files) => {
        const address = new URL(location.href)
        if (address.searchParams.has('shared')) {
          address.searchParams.delete('shared')
          history.replaceState(history.state, '', address)
        }
        if (files.length > 0) passOn(files)
      },
      (error: unknown) => console.info('Shared files could not be read', error),
    )
  }, [])
}
