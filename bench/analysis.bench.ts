// Measures the analysis of an image over HTTP against bare sharp: the first analysis of each image,
// and later ones.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { bareConcurrency, startBare } from './child.ts'
import { comparedRatesRow, alternateRounds } from './figures.ts'
import { getRequest } from './load.ts'
import type { Form, Benchmark, Table } from './benchmark.ts'
import { cycleThrough, type ImageFile, loadImageSet } from './bench-images.ts'
import { sendRequests, measuredRound, withProduct } from './product.ts'

const shape = { short: { rounds: 1, items: 4 }, full: { rounds: 9, items: 36 } } as const
const connections = 8
/** The file in which the product caches an analysis (server/domain/delivery/image-analysis.ts). */
const analysisFileName = 'inspected-1.json'

export const benchmark: Benchmark = {
  name: 'analysis',
  title: 'analysis of an image, against bare sharp',
  async run(form) {
    const { photographs, source } = await loadImageSet(form)
    return [await measure(form, photographs, source)]
  },
}

async function measure(form: Form, images: ImageFile[], source: string): Promise<Table> {
  const { rounds, items } = shape[form]
  const bare = startBare()
  const cycle = cycleThrough(images, items)
  const bareRound = (work: 'inspect' | 'stats') => () =>
    bare.round({ work, items: cycle.map(({ path }) => ({ path, px: 0 })), concurrency: bareConcurrency })
  try {
    return await withProduct(async (product) => {
      const { server } = product
      const ids: string[] = []
      for (const image of cycle) ids.push((await product.store(image)).id)
      const requests = ids.map((id) => getRequest(server.url, `/api/analyze/${id}`))
      const analyses = () => measuredRound(server.pid, 200, sendRequests(server.url, connections, requests))
      const firstAnalyses = async () => {
        for (const id of ids) await rm(join(server.dataDir, 'variants', id.slice(0, 2), id, analysisFileName))
        return analyses()
      }
      // The first pass caches every analysis. `rm` fails if the product renames its cache file.
      await analyses()
      const [whole = [], small = [], first = [], later = []] = await alternateRounds(
        [bareRound('stats'), bareRound('inspect'), firstAnalyses, analyses],
        rounds,
      )
      return {
        rows: [
          comparedRatesRow('bare sharp: header, statistics of a reduced image', small, small),
          comparedRatesRow('bare sharp: header, statistics of the whole image', whole, small),
          comparedRatesRow('product, first analysis of an image', first, small),
          comparedRatesRow('product, later analyses', later, small),
        ],
        notes: [
          `${source} Bare: concurrency ${bareConcurrency}; product: ${connections} connections. The cached analyses are ` +
            'removed before each round of first analyses.',
        ],
      }
    })
  } finally {
    bare.end()
  }
}
