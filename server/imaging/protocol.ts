// What the server and its decoder processes exchange: jobs, results, refusals. A decoder trusts its jobs, which the server has
// made; the server validates results (pool/messages.ts), since hostile bytes may have taken a decoder over.

import type { ImageFormat, OutputFormat } from '../../contract/plain/formats.ts'
import type { Fit, Size } from './fit.ts'
import type { RefusalReason } from './refusal.ts'

/** What a process may decode. librsvg is not fuzzed: the process that draws SVGs does not read other uploads. */
export type Decodes = 'pixels' | 'svg'

/** Paths are absolute. The outputs are written, not synced, and valid only if the job succeeds. */
export interface IngestJob {
  sourcePath: string
  allow: readonly ImageFormat[]
  originalPath: string
  thumbnailPath: string
  /** The smaller one, of limits.variant.listThumbnailPx. */
  listThumbnailPath: string
  intermediatePath: string
}

/** The intermediate of an SVG is its raster, at full size. */
export interface IngestSvgJob extends Omit<IngestJob, 'allow'> {
  scale: Scale
}

/** The scale of an SVG's raster: 0.5 for drawings that exceed time or memory at full size. */
export type Scale = 1 | 0.5

export type IntermediateFormat = 'jpeg' | 'png'

/** What a decoder determined about an upload. */
export interface IngestResult {
  format: ImageFormat
  /** As displayed, after the orientation; of an animation, its canvas. */
  widthPx: number
  heightPx: number
  frames: number
  /** Whether the image has an alpha channel, not whether it uses it. */
  hasAlpha: boolean
  /** The average colour, '#rrggbb'. */
  placeholder: string
  /** A tiny copy: WebP in base64. */
  blur: string
  /** Perceptual hashes in the image's eight orientations, its own first: 16 hex digits each. */
  phashes: string[]
  /** How distinctive the hashes are, 0 to 100. */
  phashQuality: number
  /** null when the image is not larger than its intermediate would be. An SVG always has one. */
  intermediate: { format: IntermediateFormat } | null
}

/** With what the server counted in the rewritten file itself. */
export interface Ingested extends IngestResult {
  bytes: number
  /** In hexadecimal. */
  sha256: string
}

/** `width` and `height` in pixels, as displayed; neither means the image's own size. Quality is 1 to 100, on the scale of JPEG and WebP. */
export interface RenderJob {
  sourcePath: string
  outPath: string
  format: OutputFormat
  width?: number
  height?: number
  fit: Fit
  quality: number
  /** Renders all frames if they fit limits.variant.maxAnimatedPixels and the format can hold them; else the first frame. */
  animated: boolean
  /** Standard deviation of a Gaussian blur, in pixels of the output. */
  blurPx?: number
  /** Behind transparent pixels and in the bars of `contain`: 'rrggbb'. Default: white in JPEG, else transparent. */
  background?: string
  /** Refuses an image of flat colours as `unsupported`. */
  onlyPhotograph?: boolean
  /** A text that is drawn over the image; of an animation, the first frame is rendered. */
  watermark?: string
}

export interface Rendered extends Size {
  frames: number
}

export interface InspectJob {
  sourcePath: string
}

/** Channels from 0 to 255. */
export interface Inspected {
  /** The colour space as libvips names it: srgb, b-w, cmyk, rgb16 … */
  space: string
  channels: number
  /** Of a channel: uchar is 8 bits, ushort 16. */
  depth: string
  hasAlpha: boolean
  /** Every pixel is opaque, whether there is an alpha channel or not. */
  isOpaque: boolean
  isProgressive: boolean
  hasProfile: boolean
  isPalette: boolean
  pages: number
  averageColor: { r: number; g: number; b: number }
  /** The most frequent colour, of 4,096. */
  dominantColor: { r: number; g: number; b: number }
}

/** The source is all parts, one after another. */
export interface CollageJob {
  sourcePath: string
  outPath: string
  /** Bytes of each. */
  parts: number[]
  /** How many are in a row. */
  columns: number
}

export interface RasterizeJob extends Size {
  /** Written by sanitizeSvg, which also determined the size in the job. */
  sourcePath: string
  outPath: string
  scale: Scale
}

export type Job =
  | { kind: 'ingest'; job: IngestJob; mayBeLarge: boolean }
  | { kind: 'render'; job: RenderJob; mayBeHeavy: boolean }
  | { kind: 'inspect'; job: InspectJob; mayBeHeavy?: boolean }
  | { kind: 'collage'; job: CollageJob }
  | { kind: 'ingestSvg'; job: IngestSvgJob }
  | { kind: 'rasterize'; job: RasterizeJob }

/** The job is accepted but not for this process: another lane runs it, from the start. */
export type Reroute = 'large' | 'svg' | 'heavy'

export type JobResult = IngestResult | Rendered | Inspected | Reroute | null

/** `code` is that of a system error (ENOSPC ...), so that the caller can distinguish a full disk from a bug. */
export type Outcome =
  | { kind: 'done'; value: JobResult }
  | { kind: 'refused'; reason: RefusalReason; message: string }
  | { kind: 'failed'; message: string; code?: string | undefined }

/** `ready` once after the start, then for each job `started` and `ended`. */
export type FromDecoder =
  | { type: 'ready' }
  | { type: 'started' }
  | { type: 'ended'; outcome: Outcome; rssBytes: number; cpuMs: number }

/** Longer messages of an outcome are cut; the server rejects them. */
export const maxMessageLength = 10_000
/** The same for the code of a system error. */
export const maxCodeLength = 40

/** The jobs of each process. */
export const kindsFor: Record<Decodes, readonly Job['kind'][]> = {
  pixels: ['ingest', 'render', 'inspect', 'collage'],
  svg: ['ingestSvg', 'rasterize'],
}
