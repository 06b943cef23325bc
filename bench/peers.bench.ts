// Other image servers beside the product and the bare loop: the same photographs, the same client, in turns in one run.
import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { bareAtOnce, type ChildServer, startBare, startChildServer } from './child.ts'
import { ratesBeside, type Round, roundsInTurns } from './figures.ts'
import { getRequest } from './load.ts'
import type { Form, Part, Table } from './part.ts'
import { type Picture, pictureSet } from './pictures.ts'
import { ask, measuredRound, withProduct } from './product.ts'

const shape = { short: { rounds: 1, items: 4 }, full: { rounds: 7, items: 48 } } as const
const connections = 8
/** Of each photograph, so that no address is asked for twice: Next knows 50 widths. */
const copies = 16
const widths = Array.from({ length: 50 }, (_, n) => 376 + n).filter((px) => px !== 400)
const folder = fileURLToPath(new URL('./peers/', import.meta.url))
const installWithinMs = 300_000
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'

export const part: Part = {
  name: 'peers',
  title: 'cold renders of IPX and of Next beside the product',
  onlyByName: true,
  async missing() {
    const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund']
    return promisify(execFile)(npm, args, { cwd: folder, timeout: installWithinMs }).then(
      () => undefined,
      (error: Error) => `its peers cannot be installed: ${error.message.split('\n')[0]}`,
    )
  },
  async run(form) {
    const { photographs, source } = await pictureSet(form)
    return [await measure(form, photographs, source)]
  },
}

interface Peer {
  name: string
  server: ChildServer
  path(fileName: string, px: number): string
}

async function measure(form: Form, pictures: Picture[], source: string): Promise<Table> {
  const { rounds, items } = shape[form]
  const temp = await mkdtemp(join(tmpdir(), 'image-host-bench-'))
  const names = await copiesIn(join(temp, 'public'), pictures)
  const bare = startBare()
  const peers: Peer[] = []
  const notes = [
    `${source} Bare: ${bareAtOnce} at once; the others: ${connections} connections, client on the same cores.`,
  ]
  try {
    peers.push({
      name: 'IPX',
      server: await startChildServer('peers/ipx.mjs', [join(temp, 'public')]),
      path: (name, px) => `/w_${px},f_webp,q_80/${name}`,
    })
    const next = await startChildServer('peers/next.mjs', [temp, widths.join()]).catch((error: unknown) =>
      String(error),
    )
    if (typeof next === 'string') notes.push(`Next did not start: ${next}`)
    else
      peers.push({
        name: "Next's optimizer",
        server: next,
        path: (name, px) => `/_next/image?url=/${name}&w=${px}&q=80`,
      })
    return await withProduct(async (product) => {
      const ids: string[] = []
      for (const picture of cycle(pictures, copies * pictures.length)) ids.push((await product.store(picture)).id)
      const limit = newEach(pictures.map(({ path }) => path))
      const own = newEach(ids)
      const works: (() => Promise<Round>)[] = [
        () =>
          bare.round({
            work: 'webp',
            items: Array.from({ length: items }, () => limit()).map(({ of, px }) => ({ path: of, px })),
            atOnce: bareAtOnce,
          }),
        requests(product.server, () => `/api/thumbnail/${pathOf(own())}`, items),
        ...peers.map(({ server, path }) => {
          const each = newEach(names)
          return requests(
            server,
            () => {
              const { of, px } = each()
              return path(of, px)
            },
            items,
          )
        }),
      ]
      const measured = await roundsInTurns(works, rounds)
      const base = measured[0] ?? []
      const rowNames = ['bare sharp, its defaults', 'product', ...peers.map(({ name }) => name)]
      return {
        title: `${pictures[0]?.title} and its like to 400 WebP`,
        rows: rowNames.map((name, n) => ratesBeside(name, measured[n] ?? [], base)),
        notes,
      }
    })
  } finally {
    bare.end()
    await Promise.all(peers.map(({ server }) => server.end()))
    await rm(temp, { recursive: true, force: true })
  }
}

const pathOf = ({ of, px }: { of: string; px: number }) => `${of}/${px}`

const cycle = <T>(all: readonly T[], count: number): T[] =>
  Array.from({ length: count }, (_, n) => all[n % all.length]).flatMap((one) => (one === undefined ? [] : [one]))

/** Each width with each of these, one after the other: none twice until all were. */
function newEach(all: readonly string[]): () => { of: string; px: number } {
  let n = 0
  return () => {
    const at = n++
    return { of: all[at % all.length] ?? '', px: widths[Math.floor(at / all.length) % widths.length] ?? 0 }
  }
}

function requests({ url, pid }: { url: string; pid: number }, path: () => string, items: number) {
  return () =>
    measuredRound(pid, 200, () =>
      ask(
        url,
        connections,
        Array.from({ length: items }, () => getRequest(url, path(), ['accept: image/webp'])),
      )(),
    )
}

/** @returns their names */
async function copiesIn(target: string, pictures: readonly Picture[]): Promise<string[]> {
  await mkdir(target, { recursive: true })
  const names: string[] = []
  for (const [n, { path }] of cycle(pictures, copies * pictures.length).entries()) {
    const name = `picture-${n}.jpg`
    await copyFile(path, join(target, name))
    names.push(name)
  }
  return names
}
