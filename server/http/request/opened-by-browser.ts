// Whether a person opened the address: they get a page where programs and <img> get data.
import type { IncomingHttpHeaders } from 'node:http'

/** The headers that decide it, for Vary. */
export const openedByBrowserVary = 'Accept, Sec-Fetch-Dest'

/**
 * The browser says where the response goes, except over plain HTTP to another machine. Otherwise the client must name HTML and
 * prefer it to data: browsers do, programs that accept anything do not.
 */
export function isOpenedByBrowser({ accept = '', 'sec-fetch-dest': target }: IncomingHttpHeaders): boolean {
  const html = qualityOf(accept, ['text/html'])
  if (target !== undefined) return target === 'document' && html > 0
  return html > qualityOf(accept, ['application/json', 'application/*', '*/*'])
}

/** Browsers send ten. */
const maxRanges = 30

/** The quality of the first of the types that the header names (RFC 9110, section 12.5.1); 0 without one. */
function qualityOf(accept: string, types: readonly string[]): number {
  const ranges = accept.toLowerCase().split(',', maxRanges).map(rangeOf)
  for (const type of types) {
    const named = ranges.find((range) => range.type === type)
    if (named) return named.quality
  }
  return 0
}

function rangeOf(range: string): { type: string; quality: number } {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim())
  const given = parameters.find((parameter) => /^q=(0|1|0?\.\d{1,3}|1\.0{1,3})$/.test(parameter))
  return { type, quality: given === undefined ? 1 : Number(given.slice(2)) }
}
