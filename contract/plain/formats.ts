// The accepted image formats: names, types, who may upload them and how they are shown. Every list of
// formats derives from this table; their decoders are in server/imaging/decoder/pixel-formats.ts. The page imports it, so it stays free of zod.

export type Uploader = 'guest' | 'user'

interface FormatRow {
  /** The usual spelling. */
  label: string
  mime: string
  /** Without the dot. The first one ends the URL of an image. */
  extensions: readonly [string, ...string[]]
  uploaders: readonly Uploader[]
  /** A vector image is rendered to a raster in a separate process; its variants are made from the raster. */
  kind: 'raster' | 'vector'
  /** Whether a file can have more than one frame. */
  canAnimate: boolean
  /** The format of variants that are requested in the image's own format. */
  rendersAs: 'png' | 'jpeg' | 'webp'
}

/** In the order of lists on screen. */
export const formats = {
  png: {
    label: 'PNG',
    mime: 'image/png',
    extensions: ['png'],
    uploaders: ['guest', 'user'],
    kind: 'raster',
    canAnimate: false,
    rendersAs: 'png',
  },
  jpeg: {
    label: 'JPEG',
    mime: 'image/jpeg',
    extensions: ['jpg', 'jpeg'],
    uploaders: ['guest', 'user'],
    kind: 'raster',
    canAnimate: false,
    rendersAs: 'jpeg',
  },
  webp: {
    label: 'WebP',
    mime: 'image/webp',
    extensions: ['webp'],
    uploaders: ['guest', 'user'],
    kind: 'raster',
    canAnimate: true,
    rendersAs: 'webp',
  },
  gif: {
    label: 'GIF',
    mime: 'image/gif',
    extensions: ['gif'],
    uploaders: ['user'],
    kind: 'raster',
    canAnimate: true,
    rendersAs: 'webp',
  },
  svg: {
    label: 'SVG',
    mime: 'image/svg+xml',
    extensions: ['svg'],
    uploaders: ['user'],
    kind: 'vector',
    canAnimate: false,
    rendersAs: 'webp',
  },
} as const satisfies Record<string, FormatRow>

export type ImageFormat = keyof typeof formats

/** The formats of rendered images. AVIF is not accepted as an upload. */
export const outputFormats = {
  png: formats.png,
  jpeg: formats.jpeg,
  webp: formats.webp,
  gif: formats.gif,
  avif: { mime: 'image/avif', extensions: ['avif'], canAnimate: false },
} as const satisfies Record<string, Pick<FormatRow, 'mime' | 'extensions' | 'canAnimate'>>

export type OutputFormat = keyof typeof outputFormats

/** The formats whose files contain pixels. */
export type PixelFormat = {
  [F in ImageFormat]: (typeof formats)[F]['kind'] extends 'raster' ? F : never
}[ImageFormat]

export const formatNames = Object.keys(formats) as [ImageFormat, ...ImageFormat[]]

export const isPixelFormat = (format: ImageFormat): format is PixelFormat => formats[format].kind === 'raster'

export const pixelFormats: readonly PixelFormat[] = formatNames.filter(isPixelFormat)

/** The formats that a guest or a user may upload. */
export const formatsFor = (uploader: Uploader): readonly ImageFormat[] =>
  formatNames.filter((name) => (formats[name].uploaders as readonly Uploader[]).includes(uploader))

/** The formats that need an account. */
export const userOnlyFormats = formatsFor('user').filter((name) => !formatsFor('guest').includes(name))

/** The MIME types of formatsFor, in the same order. */
export const mimesFor = (uploader: Uploader): string[] => formatsFor(uploader).map((name) => formats[name].mime)

/** 'PNG, JPEG or WebP'. */
export function listFormats(
  names: readonly ImageFormat[],
  conjunction: 'and' | 'or',
  textOf = (name: ImageFormat): string => formats[name].label,
): string {
  const texts = names.map(textOf)
  return [texts.slice(0, -1).join(', '), texts.at(-1)].filter(Boolean).join(` ${conjunction} `)
}

/**
 * 'PNG, JPG, JPEG or WebP': all names of what a guest or a user may upload.
 * @param separator between the names of one format
 */
export const listAccepted = (uploader: Uploader, separator: ', ' | '/' = ', '): string =>
  listFormats(formatsFor(uploader), 'or', (name) => {
    const { label, extensions } = formats[name]
    return extensions.length > 1 ? extensions.join(separator).toUpperCase() : label
  })
