// A real HTTP receiver of webhooks on loopback that records requests; tests set its responses.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface ReceivedWebhook {
  id: string
  headers: Record<string, string>
  body: string
  json: { type: string; timestamp: string; data: Record<string, unknown> }
}

export interface WebhookReceiver {
  url: string
  received: ReceivedWebhook[]
  /** The next responses, in order; 204 after them. */
  responses: { status: number; headers?: Record<string, string> }[]
  /** Time before a response. */
  delayMs: number
  stop(): Promise<void>
  /** Listens on the same port again. */
  start(): Promise<void>
}

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  let server: Server | undefined
  let port = 0
  const receiver: WebhookReceiver = {
    url: '',
    received: [],
    responses: [],
    delayMs: 0,
    async start() {
      server = createServer((request, response) => {
        void text(request).then((body) => {
          const headers = request.headers as Record<string, string>
          receiver.received.push({ id: headers['webhook-id'] ?? '', headers, body, json: JSON.parse(body) })
          const { status, headers: sent = {} } = receiver.responses.shift() ?? { status: 204 }
          setTimeout(() => response.writeHead(status, sent).end('thanks'), receiver.delayMs)
        })
      }).listen(port, '127.0.0.1')
      await once(server, 'listening')
      ;({ port } = server.address() as AddressInfo)
      receiver.url = `http://127.0.0.1:${port}/hooks`
    },
    async stop() {
      server?.closeAllConnections()
      if (server?.listening === true) await once(server.close(), 'close')
    },
  }
  await receiver.start()
  return receiver
}
