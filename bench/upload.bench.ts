// Durable uploads beside what the disk can take: the whole way, and the way without the decoding of the picture.
import { formHeaders, formOf, register } from '../faults/client.ts'
import { type Defer, holding, withFolder } from './resources.ts'
import { startChildServer, startDisk } from './child.ts'
import { ratesBeside, alternateRounds } from './figures.ts'
import { postRequest } from './load.ts'
import type { Form, Part, Table } from './part.ts'
import { type Picture, pictureSet } from './bench-images.ts'
import { ask, measuredRound, withProduct } from './product.ts'

/** `items` of a round; of whole uploads a quarter. */
const shape = { short: { rounds: 1, items: 8 }, full: { rounds: 7, items: 48 } } as const
const clients = 8

export const part: Part = {
  name: 'upload',
  title: `durable uploads of a photograph, ${clients} clients`,
  async run(form) {
    const { photographs, source } = await pictureSet(form)
    const [picture] = photographs
    return picture ? [await measure(form, picture, source)] : []
  },
}

const measure = (form: Form, picture: Picture, source: string): Promise<Table> =>
  withFolder((folder) => holding((hold) => compare(form, { picture, source, folder, hold })))

async function compare(
  form: Form,
  { picture, source, folder, hold }: { picture: Picture; source: string; folder: string; hold: Defer },
): Promise<Table> {
  const { rounds, items } = shape[form]
  const disk = startDisk()
  hold(disk.end)
  const sink = await startChildServer('sink.mjs')
  hold(sink.end)
  const bare = await startChildServer('without-decode.mjs', [folder])
  hold(bare.end)
  return withProduct(async ({ server, token }) => {
    const { path } = picture
    const [limit = [], read = [], kept = [], whole = []] = await alternateRounds(
      [
        () => disk.round({ folder: server.dataDir, path, count: items, atOnce: clients }),
        uploads(sink, picture, { items, token: 'none' }),
        uploads(bare, picture, { items, token: await register(bare.url, 'bench@example.com') }),
        uploads(server, picture, { items: Math.ceil(items / 4), token }),
      ],
      rounds,
    )
    return {
      title: picture.title,
      rows: [
        ratesBeside(`write and fdatasync, ${clients} at once`, limit, limit),
        ratesBeside('HTTP alone: read and forgotten', read, limit),
        ratesBeside('product, without the decode', kept, limit, { atLeast: 0.35 }),
        ratesBeside('product, the whole upload', whole, limit),
      ],
      notes: [
        `${source} Without the decode: the same built server with the settings of its process, SQLite and synced files, and a ` +
          'stand-in for the decoder processes, a thread that reads, hashes and writes the original. Left out: their ' +
          'start, the way to them and back, all that looks into the picture, and the making of intermediate and thumbnail. ' +
          'CPU and memory are those of servers and decoders; the client runs on the same cores.',
      ],
    }
  })
}

interface Upload {
  items: number
  token: string
}

function uploads({ url, pid }: { url: string; pid: number }, picture: Picture, { items, token }: Upload) {
  const request = postRequest(url, '/api/upload', formOf(picture.bytes, picture.fileName), [
    `content-type: ${formHeaders['content-type']}`,
    `authorization: Bearer ${token}`,
  ])
  return () => measuredRound(pid, 201, ask(url, clients, Array<Buffer>(items).fill(request)))
}
