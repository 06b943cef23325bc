// The stored formats: MIME types, file extensions, and who may upload them (docs/specification.md section 4).
import type { ImageFormat } from '../../imaging/pool/imaging.ts'
import type { Caller } from '../caller.ts'

export const formats: Record<ImageFormat, { mime: string; extension: string }> = {
  png: { mime: 'image/png', extension: 'png' },
  jpeg: { mime: 'image/jpeg', extension: 'jpg' },
  webp: { mime: 'image/webp', extension: 'webp' },
  gif: { mime: 'image/gif', extension: 'gif' },
  svg: { mime: 'image/svg+xml', extension: 'svg' },
}

const allowedFormats: Record<Caller['kind'], readonly ImageFormat[]> = {
  guest: ['png', 'jpeg', 'webp'],
  user: ['png', 'jpeg', 'webp', 'gif', 'svg'],
}

export const formatsFor = (kind: Caller['kind']) => allowedFormats[kind]

/** The types as people and programs know them: 'image/png, image/jpeg, …'. */
export const mimesFor = (kind: Caller['kind']) => allowedFormats[kind].map((format) => formats[format].mime)
