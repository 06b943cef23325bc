// What a chat reads from a share page: its Open Graph data (https://ogp.me).
import { useEffect, useState } from 'react'
import { imageUrls } from '../../../contract/derive/client.ts'

export interface LinkPreview {
  site: string
  title: string
  description: string
  /** Missing where the preview would take one of the image's limited views. */
  image?: { url: string; alt: string; width: number; height: number }
}

type Loading =
  | { status: 'loading' | 'failed' | 'gone'; preview?: LinkPreview }
  | { status: 'ready'; preview: LinkPreview }

const timeoutMs = 15_000

/**
 * @param imageId undefined: there is nothing to load
 * @param version another one loads the page again; what was shown stays meanwhile
 */
export function useLinkPreview(imageId: string | undefined, version: number): Loading {
  const [loading, setLoading] = useState<Loading>({ status: 'loading' })
  useEffect(() => {
    if (imageId === undefined) return
    const unmounted = new AbortController()
    readPreview(imageId, AbortSignal.any([unmounted.signal, AbortSignal.timeout(timeoutMs)])).then(
      (preview) => setLoading({ status: 'ready', preview }),
      (error: unknown) => {
        if (unmounted.signal.aborted) return
        console.info('No link preview', error)
        setLoading({ status: error instanceof NoImage ? 'gone' : 'failed' })
      },
    )
    return () => unmounted.abort()
  }, [imageId, version])
  return loading
}

class NoImage extends Error {}
/** Unknown, expired or deleted, and unavailable. */
const noImage = new Set([404, 410, 451])

/** @throws {NoImage} */
async function readPreview(imageId: string, signal: AbortSignal): Promise<LinkPreview> {
  const response = await fetch(imageUrls.sharePage('', imageId), { signal })
  if (noImage.has(response.status)) throw new NoImage(`The share page has the status ${response.status}`)
  if (!response.ok) throw new Error(`The share page has the status ${response.status}`)
  return previewIn(await response.text())
}

const tags = /<meta property="(og:[a-z_:]+)" content="([^"]*)">/g

/**
 * Reads what server/http/pages/share/share-page.ts has written. Without the browser's parser: the page's policy forbids it to
 * scripts, and would report the styles of the parsed page.
 */
export function previewIn(html: string): LinkPreview {
  const found = [...html.matchAll(tags)].map(([, name = '', content = '']) => [name, decoded(content)] as const)
  const values = new Map(found)
  const read = (name: string) => values.get(`og:${name}`) ?? ''
  return {
    site: read('site_name'),
    title: read('title'),
    description: read('description'),
    ...(values.has('og:image') && {
      image: {
        url: read('image'),
        alt: read('image:alt'),
        width: Number(read('image:width')),
        height: Number(read('image:height')),
      },
    }),
  }
}

/** What the server escapes, it writes as numbers. */
const decoded = (text: string) => text.replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
