// The analysis of an image over HTTP beside what sharp takes for it: the first one of each image, and those that follow.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { bareAtOnce, startBare } from './child.ts'
import { ratesBeside, alternateRounds } from './figures.ts'
import { getRequest } from './load.ts'
import type { Form, Part, Table } from './part.ts'
import { inTurn, type Picture, pictureSet } from './bench-images.ts'
import { ask, measuredRound, withProduct } from './product.ts'

const shape = { short: { rounds: 1, items: 4 }, full: { rounds: 9, items: 36 } } as const
const connections = 8
/** Where the product keeps what it has found (server/domain/images/image-analysis.ts). */
const keptAs = 'inspected-1.json'

export const part: Part = {
  name: 'analysis',
  title: 'the analysis of an image, beside bare sharp',
  async run(form) {
    const { photographs, source } = await pictureSet(form)
    return [await measure(form, photographs, source)]
  },
}

async function measure(form: Form, pictures: Picture[], source: string): Promise<Table> {
  const { rounds, items } = shape[form]
  const bare = startBare()
  const cycle = inTurn(pictures, items)
  const bareRound = (work: 'inspect' | 'stats') => () =>
    bare.round({ work, items: cycle.map(({ path }) => ({ path, px: 0 })), atOnce: bareAtOnce })
  try {
    return await withProduct(async (product) => {
      const { server } = product
      const ids: string[] = []
      for (const picture of cycle) ids.push((await product.store(picture)).id)
      const requests = ids.map((id) => getRequest(server.url, `/api/analyze/${id}`))
      const analyses = () => measuredRound(server.pid, 200, ask(server.url, connections, requests))
      const afresh = async () => {
        for (const id of ids) await rm(join(server.dataDir, 'variants', id.slice(0, 2), id, keptAs))
        return analyses()
      }
      // From then on each has what is removed: were it kept under another name, `rm` would say so.
      await analyses()
      const [whole = [], small = [], first = [], later = []] = await alternateRounds(
        [bareRound('stats'), bareRound('inspect'), afresh, analyses],
        rounds,
      )
      return {
        rows: [
          ratesBeside('bare sharp: header, statistics of a picture made small', small, small),
          ratesBeside('bare sharp: header, statistics of the whole picture', whole, small),
          ratesBeside('product, first analysis of an image', first, small),
          ratesBeside('product, any later one', later, small),
        ],
        notes: [
          `${source} Bare: ${bareAtOnce} at once; product: ${connections} connections. What the product keeps of an analysis ` +
            'is removed before each round of first ones.',
        ],
      }
    })
  } finally {
    bare.end()
  }
}
