// Measures durable uploads: complete, against bare loops of sharp that decode and encode alike, and without the decode,
// against the throughput of the disk.
import { register } from '../faults/client.ts'
import { type Defer, openFolder } from '../faults/resources.ts'
import { bareConcurrency, splitRound, startBare } from './bare-processes.ts'
import { alternateRounds } from './alternate-rounds.ts'
import { comparedRatesRow } from './statistics.ts'
import { startScript } from './programs.ts'
import type { Form, Benchmark, Table } from './benchmark.ts'
import { type ImageFile, loadImageSet } from './bench-images.ts'
import { sendRequests, measuredRound, openProduct, uploadRequest } from './product.ts'

/** `items` per round; half of that for complete uploads. */
const shape = { short: { rounds: 1, items: 8 }, full: { rounds: 7, items: 48 } } as const
const clients = 8
const maxP99Ms = 1000

export const benchmark: Benchmark = {
  title: `durable uploads of a photograph, ${clients} clients`,
  async run(form, defer) {
    const { photographs, source } = await loadImageSet(form)
    const [image] = photographs
    return image ? [await measure(form, image, source, defer)] : []
  },
}

async function measure(form: Form, image: ImageFile, source: string, defer: Defer): Promise<Table> {
  const { rounds, items } = shape[form]
  const disk = startBare(defer, clients)
  const discard = await startScript(defer, 'bare-server.mjs', 'discard')
  const stubbed = await startScript(defer, 'without-decode.mjs', await openFolder(defer))
  const loops = Array.from({ length: bareConcurrency }, () => startBare(defer))
  const { server, token } = await openProduct(defer)
  const { path } = image
  const few = Math.ceil(items / 2)
  const copies = (count: number) => Array.from({ length: count }, () => ({ path, px: 0 }))
  const [limit = [], read = [], withoutDecode = [], bare = [], whole = []] = await alternateRounds(
    [
      () => disk.round({ work: 'write', items: copies(items), concurrency: clients, folder: server.dataDir }),
      uploads(discard, image, { items, token: 'none' }),
      uploads(stubbed, image, { items, token: await register(stubbed.url, 'bench@example.com') }),
      () => splitRound(loops, { work: 'ingest', items: copies(few) }),
      uploads(server, image, { items: few, token }),
    ],
    rounds,
  )
  const bareTitle = `${loops.length} bare loops of sharp: decode once, encode 1600 JPEG and 400 WebP`
  const wholeRow = comparedRatesRow('product, complete upload', whole, bare, { atLeast: 0.75 })
  return {
    title: image.title,
    rows: [
      comparedRatesRow(`write and fdatasync, ${clients} concurrently`, limit, limit),
      comparedRatesRow('HTTP alone: body read and discarded', read, limit),
      comparedRatesRow('product, without the decode', withoutDecode, limit, { atLeast: 0.4 }),
      comparedRatesRow(bareTitle, bare, bare),
      wholeRow,
      { what: 'its p99', unit: 'ms', median: wholeRow.p99Ms ?? Number.NaN, goal: { atMost: maxP99Ms } },
    ],
    notes: [
      `${source} Without the decode: the same built server with the settings of its process, SQLite and synced files, and a ` +
        'stub for the decoder processes, a thread that reads, hashes and writes the original. Left out: starting the processes, ' +
        'communicating with them, inspecting the image, and rendering intermediate and thumbnail. ' +
        'CPU and memory are those of servers and decoders; the client runs on the same cores.',
    ],
  }
}

interface Upload {
  items: number
  token: string
}

function uploads({ url, pid }: { url: string; pid: number }, image: ImageFile, { items, token }: Upload) {
  const request = uploadRequest(image, token)
  return () =>
    measuredRound(
      pid,
      201,
      sendRequests(
        url,
        clients,
        Array.from({ length: items }, () => request),
      ),
    )
}
