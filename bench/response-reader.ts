// Parses HTTP/1.1 responses from the bytes of a connection, only as far as counting needs: status
// and end of each response.

/**
 * Receives bytes as they arrive; reports each complete response.
 * @throws on invalid responses to GET
 */
export type ResponseReader = (chunk: Buffer) => void

const headEnd = Buffer.from('\r\n\r\n')
const lastChunk = Buffer.from('0\r\n\r\n')

/**
 * Supports responses with a content-length, without a body (304, 204), or chunked. A chunked
 * response ends where received data end with the last chunk, which holds for a client with one
 * request in flight.
 */
export function responseReader(onResponse: (status: number) => void): ResponseReader {
  let pending: Buffer = Buffer.alloc(0)
  let remainingBytes = 0
  let status = 0
  let tail: Buffer | undefined

  return (chunk) => {
    let bytes = chunk
    while (bytes.length > 0) {
      if (tail !== undefined) {
        tail = Buffer.concat([tail, bytes]).subarray(-lastChunk.length)
        if (!tail.equals(lastChunk)) return
        tail = undefined
        onResponse(status)
        return
      }
      if (remainingBytes > 0) {
        const taken = Math.min(remainingBytes, bytes.length)
        remainingBytes -= taken
        bytes = bytes.subarray(taken)
        if (remainingBytes === 0) onResponse(status)
        continue
      }
      if (pending.length > 0) bytes = Buffer.concat([pending, bytes])
      const end = bytes.indexOf(headEnd)
      if (end < 0) {
        pending = bytes
        return
      }
      pending = Buffer.alloc(0)
      const head = bytes.toString('latin1', 0, end)
      bytes = bytes.subarray(end + headEnd.length)
      status = Number(head.slice(9, 12))
      if (!head.startsWith('HTTP/1.') || !(status >= 200)) throw new Error(`Not a response: ${head.slice(0, 60)}`)
      if (/\r\ntransfer-encoding: *chunked/i.test(head)) {
        tail = Buffer.alloc(0)
        continue
      }
      remainingBytes =
        status === 304 || status === 204 ? 0 : Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? Number.NaN)
      if (Number.isNaN(remainingBytes)) throw new Error(`A response of unknown length: ${head.slice(0, 200)}`)
      if (remainingBytes === 0) onResponse(status)
    }
  }
}
