// Sends arbitrary bytes and reads the response until the server closes the connection.
import { connect } from 'node:net'

export interface RawResponse {
  status: number
  headers: Record<string, string>
  /** Body of the last response, parsed when it is JSON. */
  // oxlint-disable-next-line typescript/no-explicit-any -- the shape depends on the test
  body: any
}

/**
 * Sends text as Latin-1.
 * @returns each response on the connection. Fails when the connection stays open for 20 s
 */
export function sendRaw(url: string, sent: string): Promise<RawResponse[]> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const received: Buffer[] = []
    const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(sent, 'latin1'))
    socket.setTimeout(20_000, () => socket.destroy(new Error('The server did not close the connection')))
    socket.on('data', (part) => received.push(part))
    socket.on('close', () => resolve(parseResponses(Buffer.concat(received).toString())))
    // A reset after the response is a valid close.
    socket.on('error', (error) => (received.length > 0 ? undefined : reject(error)))
  })
}

function parseResponses(text: string): RawResponse[] {
  return text
    .split(/(?=HTTP\/1\.1 \d{3} )/)
    .filter(Boolean)
    .map((response) => {
      const [head = '', body = ''] = response.split('\r\n\r\n')
      const [first = '', ...lines] = head.split('\r\n')
      const headers = Object.fromEntries(
        lines.map((line) => {
          const [name = '', ...value] = line.split(':')
          return [name.toLowerCase(), value.join(':').trim()]
        }),
      )
      const isJson = headers['content-type']?.startsWith('application/json') === true && body !== ''
      return { status: Number(first.split(' ')[1]), headers, body: isJson ? JSON.parse(body) : body }
    })
}
