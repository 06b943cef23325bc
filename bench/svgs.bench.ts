// Whether SVGs that mean no harm look the same after they were written anew: uploaded, downloaded, drawn beside what was sent.
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { type RunningServer, startServer } from '../e2e/server.ts'
import { type Drawing, drawings } from './drawings.ts'
import type { Form, Part, Row } from './part.ts'

const ofEach = { short: 2, full: 170 } as const
const cache = fileURLToPath(new URL('../node_modules/.cache/bench-drawings/', import.meta.url))
/** Longest side of what is compared. */
const sidePx = 400
/** Mean difference of a channel's value, of 255: less is not seen. */
const mostDifference = 1

export const part: Part = {
  name: 'svgs',
  title: 'published SVGs that look the same after they were written anew',
  missing: async (form) => {
    const found = await drawings(cache, ofEach[form])
    return typeof found === 'string' ? found : undefined
  },
  run: async (form) => [{ rows: await measure(form), notes: [note] }],
}

const note = `The same: drawn at ${sidePx} pixels, a channel differs by less than ${mostDifference} of 255 in the mean.`

async function measure(form: Form): Promise<Row[]> {
  const set = await drawings(cache, ofEach[form])
  if (typeof set === 'string') throw new Error(set)
  const server = await startServer()
  try {
    const token = await register(server)
    let refused = 0
    let same = 0
    let undrawn = 0
    for (const drawing of set) {
      const served = await throughProduct(server, token, drawing)
      if (served === undefined) refused++
      else {
        const found = await difference(drawing.svg, served)
        if (found === undefined) undrawn++
        else if (found < mostDifference) same++
        else console.log(`  looks otherwise: ${drawing.name}`)
      }
    }
    return [
      { what: 'drawings', unit: '', median: set.length },
      { what: 'refused', unit: '', median: refused },
      { what: 'without a size as they were sent: nothing to compare with', unit: '', median: undrawn },
      {
        what: 'share of the others that looks the same',
        unit: '',
        median: same / (set.length - undrawn),
        goal: { atLeast: 0.99 },
      },
    ]
  } finally {
    await server.stop()
  }
}

async function register({ url }: RunningServer): Promise<string> {
  const response = await fetch(`${url}/api/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'svgs@example.com', password: 'secret-1' }),
  })
  if (response.status !== 201) throw new Error(`The registration answered ${response.status}`)
  return ((await response.json()) as { token: string }).token
}

/** @returns what it serves, or undefined when it refuses */
async function throughProduct({ url }: RunningServer, token: string, { name, svg }: Drawing) {
  const body = new FormData()
  body.append('image', new Blob([new Uint8Array(svg)], { type: 'image/svg+xml' }), 'drawing.svg')
  const stored = await fetch(`${url}/api/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body,
  })
  if (stored.status !== 201) {
    console.log(`  refused: ${name}: ${await stored.text()}`)
    return undefined
  }
  const image = (await stored.json()) as { url: string }
  const served = await fetch(url + new URL(image.url).pathname)
  if (served.status !== 200) throw new Error(`${name} was stored, and answers ${served.status}`)
  return Buffer.from(await served.arrayBuffer())
}

/** @returns undefined where what was sent cannot be drawn by itself, as without any size */
async function difference(sent: Buffer, served: Buffer): Promise<number | undefined> {
  if (
    !(await sharp(sent)
      .metadata()
      .catch(() => null))
  )
    return undefined
  const { width, height } = await sharp(served).metadata()
  const scale = Math.min(1, sidePx / Math.max(width, height))
  const size = { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
  const drawn = (svg: Buffer) =>
    sharp(svg)
      .resize({ ...size, fit: 'fill' })
      .flatten({ background: '#fff' })
      .raw()
      .toBuffer()
  const [before, after] = await Promise.all([drawn(sent), drawn(served)])
  return before.reduce((sum, value, at) => sum + Math.abs(value - (after[at] ?? 0)), 0) / before.length
}
