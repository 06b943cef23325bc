// Requests to a proxy on this machine under the name of the host, from a chosen address.
import { once } from 'node:events'
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { buffer } from 'node:stream/consumers'

export interface Call {
  method?: string
  headers?: Record<string, string>
  body?: Uint8Array
  /** Plain HTTP instead of HTTPS. */
  isPlain?: boolean
}

export interface ProxyResponse {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

/** Of the client: another than that of the proxy, which is 127.0.0.1. */
export const clientAddress = '127.0.0.2'

export function createClient({ httpPort, httpsPort, ca }: { httpPort: number; httpsPort: number; ca: Buffer }) {
  return async (
    path: string,
    { method = 'GET', headers = {}, body, isPlain = false }: Call = {},
  ): Promise<ProxyResponse> => {
    const options = {
      host: '127.0.0.1',
      localAddress: clientAddress,
      path,
      method,
      agent: false,
      headers: { host: 'img.example.com', ...(body && { 'content-length': String(body.length) }), ...headers },
    }
    const request = isPlain
      ? httpRequest({ ...options, port: httpPort })
      : httpsRequest({ ...options, port: httpsPort, servername: 'img.example.com', ca })
    // A refused upload is refused before it is sent completely, and its connection is then reset.
    let responded = false
    const failed = new Promise<never>((_, reject) => request.on('error', (error) => responded || reject(error)))
    const response = Promise.race([once(request, 'response'), failed])
    request.end(body)
    const [message] = (await response) as [IncomingMessage]
    responded = true
    return { status: message.statusCode ?? 0, headers: message.headers, body: await buffer(message) }
  }
}

export type Client = ReturnType<typeof createClient>

/** The body of a form with these images. */
export function imageForm(...images: Uint8Array[]): { body: Buffer; headers: Record<string, string> } {
  const boundary = 'boundary-of-the-test'
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="image"; filename="photo.jpg"\r\ncontent-type: image/jpeg\r\n\r\n`
  const parts = images.flatMap((image) => [Buffer.from(head), image, Buffer.from('\r\n')])
  return {
    body: Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  }
}
