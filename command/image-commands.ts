import { connect, type Image, RequestFailed } from '../client/index.ts'
import { limits } from '../contract/plain/limits.ts'
import { bytesText, type Command, namedArguments, type Task, UsageError } from '../server/command.ts'
import { exitCodes } from './exit-codes.ts'
import { readLogin } from './login-file.ts'
import { openJournal } from './upload-journal.ts'

const json = { type: 'boolean' } as const

export const imageCommands = {
  list: {
    usage: 'list [--search TEXT] [--limit N] [--json]',
    help: 'lists your images, newest first',
    details:
      '  --search TEXT   only images whose name contains TEXT\n' +
      '  --limit N       at most N images (default 50); 0 lists all\n' +
      '  --json          prints one JSON object per image\n' +
      'The key needs the scope read.',
    options: { search: { type: 'string' }, limit: { type: 'string' }, json },
    async run({ args, options, print }) {
      namedArguments(args)
      const limit = readLimit(options['limit'])
      const client = connect(await readLogin())
      for await (const image of imagesOf(client, { q: options['search'] as string | undefined, limit }))
        print(options['json'] === true ? JSON.stringify(image) : lineOf(image))
    },
  },

  delete: {
    usage: 'delete IMAGE... [--json]',
    help: 'deletes images, given by their URL, file name or id',
    details:
      'Their URLs respond with 410 from then on. The key needs the scope manage. Images that were uploaded as a guest\n' +
      'from this machine can be deleted while the list of uploads has their tokens.',
    options: { json },
    run: (task) =>
      forEachImage(task, async (client, request) => {
        await client.deleteImage(request)
        return 'deleted'
      }),
  },

  extend: {
    usage: 'extend IMAGE... [--json]',
    help: 'extends images, given by their URL, file name or id: they expire a year from now',
    details: 'An expiry is never shortened. The key needs the scope manage.',
    options: { json },
    run: (task) => forEachImage(task, async (client, request) => expiryOf(await client.extendImage(request), 24)),
  },
} satisfies Record<string, Command<Task>>

type Client = ReturnType<typeof connect>
type ImageRequest = { params: { id: string }; body: { token?: string } }

async function* imagesOf(client: Client, { q, limit }: { q: string | undefined; limit: number }) {
  let left = limit
  let cursor: string | undefined
  do {
    const pageSize = String(Math.min(left, limits.list.maxLimit))
    const page = await client.listImages({ query: { q, cursor, limit: pageSize } })
    yield* page.items
    left -= page.items.length
    cursor = page.next
  } while (cursor !== undefined && left > 0)
}

const lineOf = ({ url, width, height, size, original_name: name, ...image }: Image) =>
  `${url}  ${width}x${height}  ${bytesText(size)}  ${expiryOf(image, 10)}  ${name}`

/** @param length of the time: 10 is a date */
const expiryOf = ({ expires_at: expires }: Pick<Image, 'expires_at'>, length: number) =>
  expires === null ? 'kept' : `expires ${expires.slice(0, length)}`

/** Does the same with each image; one that fails does not stop the others. */
async function forEachImage(
  { args, options, print }: Task,
  work: (client: Client, request: ImageRequest) => Promise<string>,
): Promise<number> {
  if (args.length === 0) throw new UsageError('IMAGE is missing')
  const login = await readLogin()
  const client = connect(login)
  const journal = await openJournal()
  let failed = 0
  for (const given of args) {
    const id = idOf(given)
    const token = login.apiKey === undefined ? journal.deleteTokenOf(id) : undefined
    try {
      const result = await work(client, { params: { id }, body: token === undefined ? {} : { token } })
      print(options['json'] === true ? JSON.stringify({ image: given, id, result }) : `${given}: ${result}`)
    } catch (error) {
      // Without a connection or a valid key all others fail as well.
      const failsForAll = (status: number, code?: string) => [0, 401].includes(status) || code === 'api_key_scope'
      if (!(error instanceof RequestFailed) || failsForAll(error.status, error.code)) throw error
      failed++
      if (options['json'] === true) print(JSON.stringify({ image: given, id, error: error.message, code: error.code }))
      else process.stderr.write(`${given}: ${error.message}\n`)
    }
  }
  return failed === 0 ? exitCodes.done : exitCodes.failed
}

const idLength = 22

/** Returns the id in a URL of the original, a variant or the delete page, in a file name such as photo-ID.jpg, or by itself. */
export function idOf(given: string): string {
  const path = URL.canParse(given) ? new URL(given).pathname : given
  const variant = /\/(?:api\/(?:thumbnail|resize|jpeg|webp|images|analyze)|d)\/([\w-]+)/.exec(path)?.[1]
  return (
    variant ??
    path
      .replace(/^.*\//, '')
      .replace(/\.\w+$/, '')
      .slice(-idLength)
  )
}

/** @throws {UsageError} */
function readLimit(given: unknown): number {
  if (given === undefined) return limits.list.defaultLimit
  const limit = typeof given === 'string' && /^\d{1,9}$/.test(given) ? Number(given) : Number.NaN
  if (Number.isNaN(limit)) throw new UsageError('--limit must be a whole number')
  return limit === 0 ? Infinity : limit
}
