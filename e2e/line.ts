// A line between the browser and a server that can be slow or cut, and counts what is sent over it.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Line {
  url: string
  /** Bytes that the browser has sent since the last call, headers included. */
  sent(): number
  /** Of both directions of each connection. */
  limit(bytesPerSecond: number): void
  /** Ends all connections; new ones are refused until it is repaired. */
  cut(): void
  repair(): void
  stop(): Promise<void>
}

/** @param to URL of a server on this machine */
export async function openLine(to: string): Promise<Line> {
  const port = Number(new URL(to).port)
  const ends = new Set<Socket>()
  let [sent, bytesPerSecond, isCut] = [0, Infinity, false]

  async function carry(from: Socket, into: Socket, isUp: boolean): Promise<void> {
    for await (const chunk of from as AsyncIterable<Buffer>) {
      if (isCut) return
      if (isUp) sent += chunk.length
      if (!into.write(chunk)) await Promise.race([once(into, 'drain'), once(into, 'close')])
      if (bytesPerSecond < Infinity) await sleep((chunk.length / bytesPerSecond) * 1000)
    }
    into.end()
  }

  // Small pieces: what it holds is lost when the line is cut.
  const server = createServer({ highWaterMark: 16 * 1024 }, (near) => {
    if (isCut) return void near.on('error', () => {}).resetAndDestroy()
    const far = connect(port, '127.0.0.1')
    for (const [from, into, isUp] of [
      [near, far, true],
      [far, near, false],
    ] as const) {
      ends.add(from)
      from.on('error', () => into.end()).on('close', () => ends.delete(from))
      carry(from, into, isUp).catch(() => into.end())
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  function cut(): void {
    isCut = true
    for (const end of ends) end.resetAndDestroy()
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent() {
      const bytes = sent
      sent = 0
      return bytes
    },
    limit: (rate) => void (bytesPerSecond = rate),
    cut,
    repair: () => void (isCut = false),
    async stop() {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}
