// What the product's own sources do without, but in the files that are named here, each for its reason.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

/** What ships: neither tests nor what only tests use. */
const sources = ['contract', 'server', 'web'].flatMap((wing) =>
  readdirSync(root + wing, { recursive: true, encoding: 'utf8' })
    .map((path) => `${wing}/${path}`)
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$|\/testing\//.test(path))
    .map((path) => ({ path, text: readFileSync(root + path, 'utf8') })),
)

it('there are sources to look through', () => expect(sources.length).toBeGreaterThan(400))

/** What sockets, clients of HTTP and resolvers come from. */
const ofConnections =
  /(?:from|import\(|require\() ?['"](?:undici|(?:node:)?(?:https?|http2|net|tls|dgram|dns)(?:\/\w+)?)['"]/
const connecting =
  /\bfetch\(|\bnew (?:WebSocket|EventSource)\(|\b(?:http|https|net|tls)\.(?:request|get)\(|\b(?:connect|createConnection)\(/

/**
 * Two ask whether a text is an address, one has the names of HTTP's statuses, seven the types of requests, answers and sockets,
 * and one makes the server.
 */
const takesNoConnection = [
  'config',
  'http/client-address',
  'http/guard/broken-requests',
  'http/guard/pipelining',
  'http/guard/response-buffer-budget',
  'http/guard/slow-clients',
  'http/hot/hot-responses',
  'http/hot/client-info-cache',
  'http/hot/recorded-head',
  'http/media-origin',
  'http/http-server',
].map((name) => `server/${name}.ts`)

it.each<[what: string, pattern: RegExp, wing: string, allowed: string[]]>([
  ['code made of text', /\beval\(|new Function\(|\bset(?:Timeout|Interval)\(['"`]/, '', []],
  ['HTML made of text', /dangerouslySetInnerHTML|\b(?:inner|outer)HTML\b|insertAdjacentHTML|document\.write/, '', []],
  ['cookies', /document\.cookie|set-cookie/i, '', []],
  // The decoders, and nothing else.
  [
    'other programs',
    /node:child_process|node:worker_threads|node:cluster/,
    'server/',
    ['server/imaging/pool/decoder-process.ts'],
  ],
  // The pool of PostgreSQL's connections, to DATABASE_URL alone.
  ['a connection to anywhere', connecting, 'server/', ['server/db/postgres-pool.ts']],
  ['what connections are made with', ofConnections, 'server/', takesNoConnection],
  ['hashes that are broken', /createH(?:ash|mac)\(['"](?!sha256)/, '', []],
  ['encryption of its own', /create(?:Cipher|Decipher|Sign)|publicEncrypt|privateDecrypt/, '', []],
  // The id of an error, for people to read out. It opens nothing.
  ['chance that can be guessed', /Math\.random|Date\.now\(\)\.toString\(36\)/, '', ['web/app/error-boundary.tsx']],
  ['a loosened TLS', /rejectUnauthorized|NODE_TLS_REJECT|insecureHTTPParser/, '', []],
  // A list of names in the migration itself.
  ['SQL made of text', /sql\.raw|sql\.lit|\.executeQuery\(\{/, 'server/', ['server/db/migrations/0003-backups.ts']],
])('%s stands nowhere but where it is known', (_, pattern, wing, allowed) => {
  const found = sources.filter(({ path, text }) => path.startsWith(wing) && pattern.test(text)).map(({ path }) => path)
  expect(found.toSorted()).toEqual(allowed.toSorted())
})
