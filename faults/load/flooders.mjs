// Clients that send bombs as fast as they get responses, in a process of their own, so that their work does not delay others.
// Started by flooders.ts, which documents the options; reports its figures when it is stopped.
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { constants, setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'

/** @typedef {import('./flooders.ts').FloodOptions} FloodOptions */
/** @typedef {import('./flooders.ts').FloodFigures} FloodFigures */

const options = /** @type {FloodOptions} */ (JSON.parse(process.argv[2] ?? '{}'))
const bodies = options.bombs.map(({ name, path }) => ({ name, body: readFileSync(path) }))
/** Ignores Retry-After, but limits itself to avoid a busy loop of a hundred thousand requests per second. */
const pauseMs = 100
const responseTimeoutMs = 60_000

// A flood comes from other machines: its CPU time must not be taken from the server.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL)

/** @type {FloodFigures} */
const told = { answers: {}, slowestMs: 0, wrongs: [] }
let isOver = false

/**
 * @param {Agent} agent
 * @param {Record<string, string>} headers
 * @param {Buffer} body
 * @returns {Promise<number>} the status, once the whole response is received
 */
const send = (agent, headers, body) =>
  new Promise((resolve, reject) => {
    const sent = request(`${options.url}/api/upload`, {
      method: 'POST',
      agent,
      headers: { ...headers, 'content-length': body.length },
    })
    sent.setTimeout(responseTimeoutMs, () => sent.destroy(new Error(`no response within ${responseTimeoutMs} ms`)))
    sent.once('error', reject)
    sent.once('response', (response) => {
      response.resume()
      response.once('error', reject)
      response.once('end', () => resolve(response.statusCode ?? 0))
    })
    sent.end(body)
  })

/**
 * @param {FloodOptions['callers'][number]} caller
 * @param {number} at
 */
async function flood({ localAddress, headers }, at) {
  const agent = new Agent({ keepAlive: true, localAddress })
  // Each starts at another bomb; all cycle through all of them.
  for (let next = at * 31; !isOver; next++) {
    const { name, body } = bodies[next % bodies.length] ?? { name: 'nothing', body: Buffer.alloc(0) }
    const start = performance.now()
    try {
      const status = await send(agent, headers, body)
      told.slowestMs = Math.max(told.slowestMs, performance.now() - start)
      told.answers[status] = (told.answers[status] ?? 0) + 1
      const isHonest = status === 201 || (status >= 400 && status < 500) || status === 503
      if (!isHonest) told.wrongs.push(`${name}: ${status}`)
      if (status === 429 || status === 503) await sleep(pauseMs)
    } catch (error) {
      told.wrongs.push(`${name}: ${String(error)}`)
    }
  }
  agent.destroy()
}

process.once('message', () => (isOver = true))
// The parent process has ended.
process.once('disconnect', () => process.exit())
await Promise.all(options.callers.map(flood))
process.send?.(told)
