// Files that another app shared with this one: the service worker keeps them (web/sw/sw.ts) until the dashboard takes them.
import { useEffect, useEffectEvent } from 'react'

const cacheName = 'shared'
/** Time to log in. What is older was meant for somebody else. */
const maxAgeMs = 15 * 60_000

/** Each file is answered once. */
export async function takeSharedFiles(now = Date.now()): Promise<File[]> {
  // Missing where the page is no secure context; then nothing can be shared with it either.
  if (!('caches' in globalThis) || !(await caches.has(cacheName))) return []
  const cache = await caches.open(cacheName)
  const replies = await Promise.all((await cache.keys()).map((key) => cache.match(key)))
  await caches.delete(cacheName)
  const fresh = replies.filter((reply) => reply !== undefined && now - Number(reply.headers.get('x-at')) < maxAgeMs)
  return Promise.all(fresh.map((reply) => toFile(reply as Response)))
}

async function toFile(reply: Response): Promise<File> {
  const name = decodeURIComponent(reply.headers.get('x-name') ?? '')
  return new File([await reply.blob()], name, { type: reply.headers.get('content-type') ?? '' })
}

/** Hands over what was shared, once the page that can upload it stands. */
export function useSharedFiles(onFiles: (files: File[]) => void): void {
  const handOver = useEffectEvent(onFiles)
  useEffect(() => {
    takeSharedFiles().then(
      (files) => {
        const address = new URL(location.href)
        if (address.searchParams.has('shared')) {
          address.searchParams.delete('shared')
          history.replaceState(history.state, '', address)
        }
        if (files.length > 0) handOver(files)
      },
      (error: unknown) => console.info('What was shared could not be read', error),
    )
  }, [])
}
