// The compressed forms of responses. JSON and pages that are made for a request are compressed here, a list of 100 images to a
// fifth; files and pages that are the same for everyone are compressed once (pages/compressed-document.ts).
//
// The length of a compressed response can reveal a secret in it to whoever chooses other text of it (BREACH). No other site can
// make a browser send credentials to the API, and the tokens of delete and unsubscribe links are only in the page's address.
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { addVary } from './vary.ts'

export type Encoding = 'br' | 'gzip'

/** @param quality of Brotli, from 0 to 11 */
export const compressed: Record<Encoding, (plain: Buffer, quality: number) => Promise<Buffer>> = {
  br: (plain, quality) =>
    promisify(brotliCompress)(plain, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: quality,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_LGWIN]: windowBits(plain.length),
        [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
      },
    }),
  gzip: (plain, quality) => promisify(gzip)(plain, { level: Math.min(quality, 9) }),
}
/**
 * The smallest window that holds a text (RFC 7932 section 9.1). With the default of 4 MB the memory alone costs 10 ms, for a page
 * that is compressed in half a millisecond.
 */
const windowBits = (length: number) => Math.min(22, Math.max(10, Math.ceil(Math.log2(length + 16))))
/** Most of the gain, in a tenth of the time. */
const quality = 5
/** Bytes. Below this a response fits in two packets. */
const minLength = 2000

/** Browsers name four. */
const maxNamed = 20
/** With a quality of 0 it is refused (RFC 9110 section 12.5.3). */
const accepting: Record<Encoding, RegExp> = {
  br: /^\s*br\s*(;(?!\s*q=0(\.0*)?\s*$)|$)/i,
  gzip: /^\s*gzip\s*(;(?!\s*q=0(\.0*)?\s*$)|$)/i,
}

/** The smallest form that the client takes, of those there are; undefined: only the plain one. */
export function encodingOf({ headers }: FastifyRequest, isThere = (_: Encoding) => true): Encoding | undefined {
  const given = String(headers['accept-encoding'] ?? '').split(',', maxNamed)
  const takes = (name: Encoding) => given.some((part) => accepting[name].test(part))
  return (['br', 'gzip'] as const).find((name) => isThere(name) && takes(name))
}

/** Compresses what handlers send as a text or an object; buffers and streams are sent as they are. */
export function compressResponses(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const isText = /^(?:application\/json|text\/html)\b/.test(String(reply.getHeader('content-type')))
    if (typeof payload !== 'string' || !isText || payload.length < minLength) return payload
    addVary(reply, 'Accept-Encoding')
    const encoding = encodingOf(request)
    if (encoding === undefined) return payload
    const body = await compressed[encoding](Buffer.from(payload), quality)
    reply.header('content-encoding', encoding).header('content-length', body.length)
    return body
  })
}
