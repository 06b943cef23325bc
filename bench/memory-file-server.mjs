// Bare node:http that serves files from memory: the speed of Node without a framework. Arguments: a
// folder, a port.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'

const [folder = '', port] = process.argv.slice(2)
const responses = new Map(
  readdirSync(folder).map((name) => {
    const bytes = readFileSync(join(folder, name))
    const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`
    const fixed = ['cache-control', 'public, max-age=86400', 'etag', etag, 'x-content-type-options', 'nosniff']
    const whole = ['content-type', 'image/webp', 'content-length', String(bytes.length), ...fixed]
    return [`/${name}`, { bytes, etag, fixed, whole }]
  }),
)

createServer((request, response) => {
  const found = responses.get(request.url ?? '')
  if (found === undefined) response.writeHead(404).end()
  else if (request.headers['if-none-match'] === found.etag) response.writeHead(304, found.fixed).end()
  else response.writeHead(200, found.whole).end(found.bytes)
}).listen(Number(port), '127.0.0.1')
