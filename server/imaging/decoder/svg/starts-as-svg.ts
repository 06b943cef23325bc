// Detects an SVG by the text before its first element. Nothing is parsed that could take long.

/** Several times the space that an editor's comment and a licence need. */
const lookedAtBytes = 16 * 1024

const byteOrderMark = '\u00ef\u00bb\u00bf' // of UTF-8, decoded as Latin 1

/** An entity declaration contains a '>': a file with one is not detected, and sanitizeSvg would reject it as well. */
const prologue = [
  { start: '<?', end: '?>' },
  { start: '<!--', end: '-->' },
  { start: '<!DOCTYPE', end: '>' },
]

/** The first element must be `svg`, with any prefix. A text or page that contains an SVG further down is not one. */
export function startsAsSvg(bytes: Buffer): boolean {
  const text = bytes.toString('latin1', 0, lookedAtBytes)
  let at = skipSpace(text, text.startsWith(byteOrderMark) ? byteOrderMark.length : 0)
  for (;;) {
    const part = prologue.find(({ start }) => text.startsWith(start, at))
    if (!part) return /^<(?:[^\s<>/:]{1,100}:)?svg[\s/>]/.test(text.slice(at, at + 110))
    const end = text.indexOf(part.end, at + part.start.length)
    if (end < 0) return false
    at = skipSpace(text, end + part.end.length)
  }
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (' \t\r\n'.includes(text.charAt(at)) && at < text.length) at++
  return at
}
