// What the server finds out about an image.
import { imageUrls } from '../../contract/client.ts'
import type { ImageAnalysis } from '../../contract/images.ts'

export async function analyzeImage(id: string): Promise<ImageAnalysis> {
  const { client } = await import('./http.ts')
  return client.analyzeImage({ params: { id } })
}

/** Bytes of the image as WebP at its full size: the server makes it, and sends only what it weighs. */
export async function weighWebp(id: string, signal: AbortSignal): Promise<number> {
  const reply = await fetch(imageUrls.webp('', id), { method: 'HEAD', signal })
  const bytes = Number(reply.headers.get('content-length'))
  if (!reply.ok || !(bytes > 0)) throw new Error(`The WebP could not be weighed: ${reply.status}`)
  return bytes
}
