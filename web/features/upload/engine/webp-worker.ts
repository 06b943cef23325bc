// Worker that scales an image down and encodes it as WebP. The server sends this file by its name
// with a CSP of its own, which allows WebAssembly for browsers without a WebP encoder.
import { fitWithin } from './conversion-plan.ts'

export interface WebpRequest {
  file: Blob
  maxSidePx: number
  /** 1 to 100. */
  quality: number
  /** False once a canvas of this browser has returned another format than WebP. */
  canCanvas: boolean
}

export type WebpResponse = { blob: Blob; canCanvas: boolean } | { error: string }

addEventListener('message', ({ data }: MessageEvent<WebpRequest>) => {
  convert(data).then(
    (response) => postMessage(response satisfies WebpResponse),
    (error: unknown) => postMessage({ error: String(error) } satisfies WebpResponse),
  )
})

async function convert({ file, maxSidePx, quality, canCanvas }: WebpRequest): Promise<WebpResponse> {
  const canvas = await draw(file, maxSidePx)
  if (canCanvas) {
    // Browsers without a WebP encoder (Safari) return PNG without an error.
    const blob = await canvas.convertToBlob({ type: 'image/webp', quality: quality / 100 })
    if (blob.type === 'image/webp') return { blob, canCanvas: true }
  }
  const { default: encode } = await import('@jsquash/webp/encode.js')
  const bytes = await encode(contextOf(canvas).getImageData(0, 0, canvas.width, canvas.height), { quality })
  return { blob: new Blob([bytes], { type: 'image/webp' }), canCanvas: false }
}

async function draw(file: Blob, maxSidePx: number): Promise<OffscreenCanvas> {
  const source = await createImageBitmap(file, { imageOrientation: 'from-image' })
  const { width, height } = fitWithin(source.width, source.height, maxSidePx)
  const isSmaller = width !== source.width || height !== source.height
  const bitmap = isSmaller
    ? await createImageBitmap(source, { resizeWidth: width, resizeHeight: height, resizeQuality: 'high' })
    : source
  const canvas = new OffscreenCanvas(width, height)
  const context = contextOf(canvas)
  context.imageSmoothingQuality = 'high'
  context.drawImage(bitmap, 0, 0, width, height)
  source.close()
  bitmap.close()
  return canvas
}

function contextOf(canvas: OffscreenCanvas): OffscreenCanvasRenderingContext2D {
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('This browser provides no canvas for an image of this size')
  return context
}
