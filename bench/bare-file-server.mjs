// Bare node:http that serves files, from memory or reading each: the speed of Node without a
// framework. Arguments: a folder, a port, `memory` or `disk`.
import { createHash } from 'node:crypto'
import { readdirSync, readFile, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'

const [folder = '', port, from] = process.argv.slice(2)
const responses = new Map(
  readdirSync(folder).map((name) => {
    const bytes = readFileSync(join(folder, name))
    const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`
    const fixed = ['cache-control', 'public, max-age=86400', 'etag', etag, 'x-content-type-options', 'nosniff']
    const whole = ['content-type', 'image/webp', 'content-length', String(bytes.length), ...fixed]
    return [`/${name}`, { bytes: from === 'memory' ? bytes : undefined, etag, fixed, whole }]
  }),
)

createServer((request, response) => {
  const found = responses.get(request.url ?? '')
  if (found === undefined) response.writeHead(404).end()
  else if (request.headers['if-none-match'] === found.etag) response.writeHead(304, found.fixed).end()
  else if (found.bytes) response.writeHead(200, found.whole).end(found.bytes)
  else
    readFile(folder + request.url, (error, bytes) => {
      if (error) response.writeHead(500).end()
      else response.writeHead(200, found.whole).end(bytes)
    })
}).listen(Number(port), '127.0.0.1')
