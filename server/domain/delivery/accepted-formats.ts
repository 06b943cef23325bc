// What the client of fmt=auto can show, from its Accept header (RFC 9110, section 12.5.1).

/** Formats that not every client can show. */
const negotiated = ['avif', 'webp'] as const

export type AcceptedFormats = Record<(typeof negotiated)[number], boolean>

/** Only formats that are named count: every client sends a wildcard, also those that show neither. */
export function acceptedFormats(accept = ''): AcceptedFormats {
  const named = accept.toLowerCase().split(',', maxRanges).map(typeOf)
  return { avif: named.includes('image/avif'), webp: named.includes('image/webp') }
}

/** Browsers send ten. */
const maxRanges = 30

/** @returns '' for a type that the client refuses by `q=0` */
function typeOf(range: string): string {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim())
  return parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)) ? '' : type
}

/** The part of a cache key that stands for the header: few values, whatever clients send. */
export const acceptKey = (accept: string | undefined): string => {
  const accepted = acceptedFormats(accept)
  return negotiated.filter((format) => accepted[format]).join('+')
}
