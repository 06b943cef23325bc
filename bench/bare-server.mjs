// Bare node:http: the speed of Node without a framework. Arguments: a port, and `discard`, which reads and discards request
// bodies, or `memory` or `disk` with a folder, which serve its files, from memory or reading each.
import { createHash } from 'node:crypto'
import { readdirSync, readFile, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'

const [port, kind, folder = ''] = process.argv.slice(2)
const server = kind === 'discard' ? createServer(discard) : createServer(fileSender())
server.listen(Number(port), '127.0.0.1')

/** @type {import('node:http').RequestListener} */
function discard(request, response) {
  request.resume()
  request.on('end', () => response.writeHead(201, { 'content-length': 0 }).end())
}

/** @returns {import('node:http').RequestListener} */
function fileSender() {
  const files = new Map(
    readdirSync(folder).map((name) => {
      const bytes = readFileSync(join(folder, name))
      const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`
      const fixed = ['cache-control', 'public, max-age=86400', 'etag', etag, 'x-content-type-options', 'nosniff']
      const whole = ['content-type', 'image/webp', 'content-length', String(bytes.length), ...fixed]
      return [`/${name}`, { bytes: kind === 'memory' ? bytes : undefined, etag, fixed, whole }]
    }),
  )
  return (request, response) => {
    const found = files.get(request.url ?? '')
    if (found === undefined) response.writeHead(404).end()
    else if (request.headers['if-none-match'] === found.etag) response.writeHead(304, found.fixed).end()
    else if (found.bytes) response.writeHead(200, found.whole).end(found.bytes)
    else
      readFile(folder + request.url, (error, bytes) => {
        if (error) response.writeHead(500).end()
        else response.writeHead(200, found.whole).end(bytes)
      })
  }
}
