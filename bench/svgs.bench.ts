// Checks that benign SVGs look the same after the sanitizer: uploads, downloads and compares the rasterized images.
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { call, imageIn, originalAt, upload } from '../faults/client.ts'
import type { Defer } from '../faults/resources.ts'
import { type PublishedSvg, loadPublishedSvgs } from './npm-svgs.ts'
import type { Form, Benchmark, Row } from './benchmark.ts'
import { type Product, openProduct } from './product.ts'

const perPackage = { short: 2, full: 170 } as const
const cache = fileURLToPath(new URL('../node_modules/.cache/bench-drawings/', import.meta.url))
/** Longest side of the compared images. */
const sidePx = 400
/** Mean difference per channel value, of 255: less is not visible. */
const maxDifference = 1

export const benchmark: Benchmark = {
  title: 'published SVGs that look the same after sanitizing',
  missing: async (form) => {
    const found = await loadPublishedSvgs(cache, perPackage[form])
    return typeof found === 'string' ? found : undefined
  },
  run: async (form, defer) => [{ rows: await measure(form, defer), notes: [note] }],
}

const note = `The same: rasterized at ${sidePx} pixels, the mean difference per channel is below ${maxDifference} of 255.`

async function measure(form: Form, defer: Defer): Promise<Row[]> {
  const set = await loadPublishedSvgs(cache, perPackage[form])
  if (typeof set === 'string') throw new Error(set)
  const product = await openProduct(defer)
  let refused = 0
  let same = 0
  let notRasterized = 0
  for (const published of set) {
    const served = await uploadAndDownload(product, published)
    if (served === undefined) refused++
    else {
      const found = await difference(published.svg, served)
      if (found === undefined) notRasterized++
      else if (found < maxDifference) same++
      else console.log(`  looks different: ${published.name}`)
    }
  }
  return [
    { what: 'SVGs', unit: '', median: set.length },
    { what: 'refused', unit: '', median: refused },
    { what: 'not rasterizable without a size: nothing to compare with', unit: '', median: notRasterized },
    {
      what: 'share of the others that look the same',
      unit: '',
      median: same / (set.length - notRasterized),
      goal: { atLeast: 0.99 },
    },
  ]
}

/** @returns the served SVG, or undefined if the upload is rejected */
async function uploadAndDownload({ server, token }: Product, { name, svg }: PublishedSvg) {
  const stored = await upload(server.url, svg, { token, name: 'drawing.svg' })
  if (stored.status !== 201) {
    console.log(`  refused: ${name}: ${stored.body.toString('utf8')}`)
    return undefined
  }
  const served = await call(originalAt(server.url, imageIn(stored)))
  if (served.status !== 200) throw new Error(`${name} was stored, but its original: ${served.status}`)
  return served.body
}

/** @returns undefined if the uploaded SVG cannot be rasterized by itself, for example without a size */
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
  const rasterize = (svg: Buffer) =>
    sharp(svg)
      .resize({ ...size, fit: 'fill' })
      .flatten({ background: '#fff' })
      .raw()
      .toBuffer()
  const [before, after] = await Promise.all([rasterize(sent), rasterize(served)])
  return before.reduce((sum, value, at) => sum + Math.abs(value - (after[at] ?? 0)), 0) / before.length
}
