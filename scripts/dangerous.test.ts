// Dangerous APIs that the product's sources use only in the files listed here, each for a reason.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Product code, without tests and their tools. */
const sources = ['client', 'command', 'contract', 'server', 'web'].flatMap((wing) =>
  readdirSync(root + wing, { recursive: true, encoding: 'utf8' })
    .map((path) => `${wing}/${path}`)
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$|\/testing\//.test(path))
    .map((path) => ({ path, text: readFileSync(root + path, 'utf8') })),
)

it('there are sources to look through', () => expect(sources.length).toBeGreaterThan(400))

/** Modules that provide sockets, HTTP clients and resolvers. */
const ofConnections =
  /(?:from|import\(|require\() ?['"](?:undici|(?:node:)?(?:https?|http2|net|tls|dgram|dns)(?:\/\w+)?)['"]/
const connecting =
  /\bfetch\(|\bnew (?:WebSocket|EventSource)\(|\b(?:http|https|net|tls)\.(?:request|get)\(|\b(?:connect|createConnection)\(/

/**
 * Three check whether a string is an IP address, two use the names of HTTP statuses, eleven the types of requests, responses and
 * sockets, and one creates the server.
 */
const takesNoConnection = [
  'config',
  'domain/uploads/remote-image',
  'domain/moderation/networks',
  'http/protocols/chevereto',
  'http/request/credentials',
  'http/guard/broken-requests',
  'http/guard/connection-limit',
  'http/guard/idle-connections',
  'http/guard/pipelining',
  'http/guard/response-buffer-budget',
  'http/guard/slow-clients',
  'http/delivery/hot-responses',
  'http/delivery/client-info-cache',
  'http/delivery/hot-cache',
  'http/request/media-origin',
  'http/request/opened-by-browser',
  'http/node-server',
  'http/operations/proxy-warning',
].map((name) => `server/${name}.ts`)

const connectsToCheckedAddresses = ['server/remote/public-addresses.ts', 'server/remote/remote-client.ts']

it.each<[what: string, pattern: RegExp, wing: string, allowed: string[]]>([
  ['code made of text', /\beval\(|new Function\(|\bset(?:Timeout|Interval)\(['"`]/, '', []],
  // The share sheet serializes elements that it has made, for the clipboard.
  [
    'HTML made of text',
    /dangerouslySetInnerHTML|\b(?:inner|outer)HTML\b|insertAdjacentHTML|document\.write/,
    '',
    ['web/features/share/link-html.ts'],
  ],
  // Of the visitors of a link, for its path only.
  [
    'cookies',
    /document\.cookie|set-cookie/i,
    '',
    [
      ...['count-visit', 'enter-link-password', 'link-cookies', 'open-link'].map(
        (name) => `server/domain/links/${name}.ts`,
      ),
      'server/http/pages/link/bind-link.ts',
      'server/http/pages/link/send-link-archive.ts',
    ],
  ],
  // pg_dump before a migration, and the decoder processes.
  [
    'other programs',
    /node:child_process|node:worker_threads|node:cluster/,
    'server/',
    ['server/domain/backups/upgrade-database.ts', 'server/imaging/pool/decoder-process.ts'],
  ],
  // The PostgreSQL connection pool, to DATABASE_URL only; the operator's checks of PUBLIC_URL and PORT; the operator's
  // UPDATE_CHECK; the MCP library's handler of a request, which it calls fetch.
  [
    'a connection to anywhere',
    connecting,
    'server/',
    [
      'server/cli/doctor-checks.ts',
      'server/cli/tls-check.ts',
      'server/db/postgres-pool.ts',
      'server/domain/operations/update-check.ts',
      'server/http/protocols/mcp-tools.ts',
      'server/take-data-dir.ts',
    ],
  ],
  // The second list connects to addresses that users supply, after checking them (docs/decisions/0040).
  [
    'what connections are made with',
    ofConnections,
    'server/',
    [...takesNoConnection, ...connectsToCheckedAddresses, 'server/cli/tls-check.ts'],
  ],
  ['hashes that are broken', /createH(?:ash|mac)\(['"](?!sha256)/, '', []],
  ['encryption of its own', /create(?:Cipher|Decipher|Sign)|publicEncrypt|privateDecrypt/, '', []],
  [
    'chance that can be guessed',
    /Math\.random|Date\.now\(\)\.toString\(36\)/,
    '',
    // The waits before repeated requests, and the id of an error report. They authorize nothing.
    [
      'client/retries.ts',
      'web/features/upload/engine/upload-engine.ts',
      'web/ui/error-boundary.tsx',
      'web/ui/use-source.ts',
    ],
  ],
  ['a loosened TLS', /rejectUnauthorized|NODE_TLS_REJECT|insecureHTTPParser/, '', []],
  // Table names from constants in migrations; numbers from constants, which plans and types depend on.
  [
    'SQL made of text',
    /sql\.raw|sql\.lit|\.executeQuery\(\{/,
    'server/',
    [
      'server/db/migrations/version-0.2/0003-backups.ts',
      'server/db/migrations/version-0.3/0030-live-lists.ts',
      'server/db/nested-albums.ts',
      'server/domain/delivery/view-counts.ts',
    ],
  ],
])('%s is used only in the files listed', (_, pattern, wing, allowed) => {
  const found = sources.filter(({ path, text }) => path.startsWith(wing) && pattern.test(text)).map(({ path }) => path)
  expect(found.toSorted()).toEqual(allowed.toSorted())
})
