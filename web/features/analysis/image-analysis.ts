// What the server knows about the content of an image.
import { queryOptions } from '@tanstack/react-query'
import { imageUrls, withKey } from '../../../contract/derive/client.ts'
import { client } from '../../model/http.ts'
import type { AnalyzedImage } from './analyzed-image.ts'

export const imageAnalysis = (id: string) =>
  queryOptions({ queryKey: ['analysis', id], queryFn: () => client.analyzeImage({ params: { id } }), gcTime: 0 })

/** Bytes of the image as WebP at full size: the server renders it and sends only the headers. */
export const webpSize = ({ id, view_key: key }: Pick<AnalyzedImage, 'id' | 'view_key'>) =>
  queryOptions({
    queryKey: ['webp size', id],
    queryFn: async ({ signal }) => {
      const response = await fetch(withKey(imageUrls.webp('', id), key), { method: 'HEAD', signal })
      const bytes = Number(response.headers.get('content-length'))
      if (!response.ok || !(bytes > 0)) throw new Error(`The size of the WebP is unknown: ${response.status}`)
      return bytes
    },
    gcTime: 0,
  })
