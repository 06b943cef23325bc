// Whether SVGs that mean no harm look the same after they were written anew: uploaded, downloaded, drawn beside what was sent.
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { call, imageIn, upload } from '../faults/client.ts'
import { type Drawing, drawings } from './drawings.ts'
import type { Form, Part, Row } from './part.ts'
import { type Product, withProduct } from './product.ts'

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
  return withProduct(async (product) => {
    let refused = 0
    let same = 0
    let undrawn = 0
    for (const drawing of set) {
      const served = await throughProduct(product, drawing)
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
  })
}

/** @returns what it serves, or undefined when it refuses */
async function throughProduct({ server, token }: Product, { name, svg }: Drawing) {
  const stored = await upload(server.url, svg, { token, name: 'drawing.svg' })
  if (stored.status !== 201) {
    console.log(`  refused: ${name}: ${stored.body.toString('utf8')}`)
    return undefined
  }
  const served = await call(server.url + new URL(imageIn(stored).url).pathname)
  if (served.status !== 200) throw new Error(`${name} was stored, and answers ${served.status}`)
  return served.body
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
