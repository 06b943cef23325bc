// Whether a file is meant as an SVG, by what stands before its first element. Nothing is parsed that could cost time.

/** An editor's name and a licence fit in many times over. */
const lookedAtBytes = 16 * 1024

const byteOrderMark = '\u00ef\u00bb\u00bf' // of UTF-8, read as Latin 1

/** A declaration of entities has a '>' of its own: what holds one is no SVG here, and sanitizeSvg would refuse it too. */
const prologue = [
  { start: '<?', end: '?>' },
  { start: '<!--', end: '-->' },
  { start: '<!DOCTYPE', end: '>' },
]

/** The first element is `svg`, under whatever prefix. A text or a page that holds an SVG further down is none. */
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
