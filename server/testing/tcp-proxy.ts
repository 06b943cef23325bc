// A TCP proxy between two programs that injects faults, independent of the protocol.
import { once } from 'node:events'
import { type AddressInfo, createServer, connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export type ConnectionFault =
  /** New connections are reset immediately, existing ones too. (The port stays bound, so that no other process takes it.) */
  | 'refuse'
  /** Accepts everything and forwards nothing. Connections open at its end are reset. */
  | 'black-hole'
  /** Delays every response. */
  | { delayMs: number }
  /** In each direction. */
  | { bytesPerSecond: number }
  /** Resets a connection after this many bytes in either direction. */
  | { resetAfterBytes: number }
  /** Resets all connections repeatedly. */
  | { resetEveryMs: number }
  /** Flips one bit of every n-th byte in both directions. */
  | { flipEvery: number }

export interface TcpProxy {
  port: number
  /** The number of accepted connections so far. */
  connections(): number
  /** The number of bytes that were passed on to the port. */
  bytesSent(): number
  /** @param fault undefined: the connection works */
  behave(fault: ConnectionFault | undefined): void
  stop(): Promise<void>
}

interface Line {
  client: Socket
  far: Socket
  fault: ConnectionFault | undefined
}

/** @param to a port on this machine */
export async function startProxy(to: number): Promise<TcpProxy> {
  let fault: ConnectionFault | undefined
  let connections = 0
  let bytesSent = 0
  const countSent = (bytes: number) => (bytesSent += bytes)
  let again: NodeJS.Timeout | undefined
  const lines = new Set<Line>()
  const server = createServer((client) => {
    connections++
    client.on('error', () => {})
    if (fault === 'refuse') return void client.resetAndDestroy()
    const far = connect({ port: to, host: '127.0.0.1' })
    far.on('error', () => client.resetAndDestroy())
    const line: Line = { client, far, fault }
    lines.add(line)
    client.once('close', () => {
      lines.delete(line)
      far.destroy()
    })
    void carry(line, client, far, countSent)
    void carry(line, far, client)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = () => {
    for (const { client, far } of lines) {
      client.resetAndDestroy()
      far.resetAndDestroy()
    }
  }

  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    bytesSent: () => bytesSent,
    behave(next) {
      if (next === 'refuse' || fault === 'black-hole') cut()
      fault = next
      clearInterval(again)
      if (typeof fault === 'object' && 'resetEveryMs' in fault) again = setInterval(cut, fault.resetEveryMs)
      for (const line of lines) line.fault = next
    },
    async stop() {
      clearInterval(again)
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}

/**
 * One direction of a connection: the next chunk is read when the previous one is written.
 * @param countSent of the direction to the server
 */
async function carry(line: Line, from: Socket, to: Socket, countSent?: (bytes: number) => void): Promise<void> {
  let carried = 0
  // What is still read when the other end has gone is not passed on.
  const write = (chunk: Buffer) => {
    if (to.writable) countSent?.(chunk.length)
    return to.write(chunk)
  }
  try {
    for await (const chunk of from as AsyncIterable<Buffer>) {
      const { fault } = line
      if (fault === 'black-hole') continue
      if (typeof fault === 'object' && 'delayMs' in fault && countSent === undefined) await sleep(fault.delayMs)
      if (typeof fault === 'object' && 'resetAfterBytes' in fault && carried + chunk.length > fault.resetAfterBytes) {
        write(chunk.subarray(0, Math.max(0, fault.resetAfterBytes - carried)))
        await new Promise((resolve) => setImmediate(resolve))
        line.client.resetAndDestroy()
        line.far.resetAndDestroy()
        return
      }
      if (typeof fault === 'object' && 'flipEvery' in fault) flip(chunk, carried, fault.flipEvery)
      carried += chunk.length
      if (typeof fault === 'object' && 'bytesPerSecond' in fault)
        await trickle(chunk, to, { bytesPerSecond: fault.bytesPerSecond, write })
      else if (!write(chunk)) await Promise.race([once(to, 'drain'), once(to, 'close')])
    }
    to.end()
  } catch {
    // Either end may reset its connection at any time; the other end must be closed as well.
    to.destroy()
  }
}

function flip(chunk: Buffer, carried: number, every: number): void {
  for (let at = every - 1 - (carried % every); at < chunk.length; at += every) chunk[at] = (chunk[at] ?? 0) ^ 1
}

async function trickle(
  chunk: Buffer,
  to: Socket,
  { bytesPerSecond, write }: { bytesPerSecond: number; write: (piece: Buffer) => void },
): Promise<void> {
  const step = Math.max(1, Math.floor(bytesPerSecond / 10))
  for (let at = 0; at < chunk.length && to.writable; at += step) {
    write(chunk.subarray(at, at + step))
    await sleep(100)
  }
}
