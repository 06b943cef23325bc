// Reads HTTP/1.1 answers from the bytes of a connection, as little of them as a count needs: status and where the next begins.

/** Called with pieces as they come; tells of each answer once it is whole. @throws on what is no answer to GET */
export type ResponseReader = (piece: Buffer) => void

const headEnd = Buffer.from('\r\n\r\n')
const lastChunk = Buffer.from('0\r\n\r\n')

/**
 * Of answers with a content-length, without a body (304, 204), or in chunks; of those in chunks the end is taken to be where
 * a piece ends with the last chunk, which is so where a client asks for one thing at a time.
 */
export function responseReader(onReply: (status: number) => void): ResponseReader {
  let kept: Buffer = Buffer.alloc(0)
  let rest = 0
  let status = 0
  let tail: Buffer | undefined

  return (piece) => {
    let bytes = piece
    while (bytes.length > 0) {
      if (tail !== undefined) {
        tail = Buffer.concat([tail, bytes]).subarray(-lastChunk.length)
        if (!tail.equals(lastChunk)) return
        tail = undefined
        onReply(status)
        return
      }
      if (rest > 0) {
        const taken = Math.min(rest, bytes.length)
        rest -= taken
        bytes = bytes.subarray(taken)
        if (rest === 0) onReply(status)
        continue
      }
      if (kept.length > 0) bytes = Buffer.concat([kept, bytes])
      const end = bytes.indexOf(headEnd)
      if (end < 0) {
        kept = bytes
        return
      }
      kept = Buffer.alloc(0)
      const head = bytes.toString('latin1', 0, end)
      bytes = bytes.subarray(end + headEnd.length)
      status = Number(head.slice(9, 12))
      if (!head.startsWith('HTTP/1.') || !(status >= 200)) throw new Error(`No answer: ${head.slice(0, 60)}`)
      if (/\r\ntransfer-encoding: *chunked/i.test(head)) {
        tail = Buffer.alloc(0)
        continue
      }
      rest = status === 304 || status === 204 ? 0 : Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? Number.NaN)
      if (Number.isNaN(rest)) throw new Error(`An answer of unknown length: ${head.slice(0, 200)}`)
      if (rest === 0) onReply(status)
    }
  }
}
