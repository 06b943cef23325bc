// A crowd of misbehaving clients in a process of its own, so that its thousands of sockets do not slow down the measurement.
// Started by crowd.ts, which documents the options; reports its state every 250 ms.
import { connect } from 'node:net'

/** @typedef {import('./crowd.ts').CrowdOptions} CrowdOptions */

const options = /** @type {CrowdOptions} */ (JSON.parse(process.argv[2] ?? '{}'))
const { port, kind, size, path = '/', perSecond = 1000, addresses = 16 } = options
const tick = 50

const form = 'faults-7MA4YWxkTrZu0gW'
const uploadHead =
  'POST /api/upload HTTP/1.1\r\nhost: crowd\r\n' +
  `content-type: multipart/form-data; boundary=${form}\r\ncontent-length: 1000000\r\n\r\n` +
  `--${form}\r\ncontent-disposition: form-data; name="image"; filename="a.jpg"\r\n\r\n\xff\xd8\xff`
/** A few fewer than the server queues per connection. */
const askedAhead = 15
const question = `GET ${path} HTTP/1.1\r\nhost: crowd\r\n\r\n`

/**
 * What each kind sends first, what later, and how often. The others only wait.
 * @type {Record<CrowdOptions['kind'], { first: string, later?: string, everyMs?: number }>}
 */
const manners = {
  slowloris: { first: 'GET / HTTP/1.1\r\nhost: crowd\r\nx-slow: ', later: 'a', everyMs: 5000 },
  'slow-upload': { first: uploadHead, later: '0123456789', everyMs: 1000 },
  'half-closed': { first: uploadHead },
  'never-reading': { first: question.repeat(askedAhead) },
  idle: { first: question, later: question, everyMs: 4000 },
}
const { first, later, everyMs = Infinity } = manners[kind]

/** @type {Set<{ socket: import('node:net').Socket, openedAt: number, saidAt: number }>} */
const members = new Set()
const told = { open: 0, opened: 0, answered: 0, refused: 0, longestMs: 0 }
let isReopening = true
let next = 0

function join() {
  // One address has 28,000 ephemeral ports towards another; a closed one is unusable for a minute (TIME_WAIT).
  const localAddress = `127.0.0.${2 + (next++ % addresses)}`
  const socket = connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen: kind === 'half-closed' })
  const member = { socket, openedAt: 0, saidAt: 0 }
  let isAnswered = false
  members.add(member)
  socket.once('connect', () => {
    member.openedAt = member.saidAt = performance.now()
    told.open++
    told.opened++
    socket.write(first, 'latin1')
    if (kind === 'half-closed') socket.end()
    if (kind === 'never-reading') socket.pause()
  })
  if (kind !== 'never-reading')
    socket.on('data', () => {
      if (!isAnswered) told.answered++
      isAnswered = true
    })
  socket.once('end', () => socket.end())
  socket.on('error', () => {}) // the figures contain the reason
  socket.once('close', () => {
    members.delete(member)
    if (member.openedAt === 0 || (kind === 'idle' && !isAnswered)) told.refused++
    if (member.openedAt === 0) return
    told.open--
    told.longestMs = Math.max(told.longestMs, performance.now() - member.openedAt)
  })
}

setInterval(() => {
  const now = performance.now()
  for (const member of members) {
    if (later === undefined || member.openedAt === 0 || now - member.saidAt < everyMs) continue
    member.saidAt = now
    member.socket.write(later)
  }
  const missing = isReopening ? Math.min(size - members.size, Math.ceil((perSecond * tick) / 1000)) : 0
  for (let i = 0; i < missing; i++) join()
}, tick)
setInterval(() => process.send?.(told), 250)

process.on('message', (word) => {
  if (word === 'stay') isReopening = false
  else process.exit() // closes all open sockets
})
process.on('disconnect', () => process.exit())
