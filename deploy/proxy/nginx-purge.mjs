// Receives the purge hook of Image Host beside an nginx with nginx-cache.conf:
//   PURGE_SECRET=whsec_... node nginx-purge.mjs /var/cache/nginx/purged 3900
// For each purged image it writes a file with the name of its id into the folder.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { mkdir, readdir, stat, unlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

const [folder, port] = process.argv.slice(2)
const key = Buffer.from(process.env.PURGE_SECRET.replace(/^whsec_/, ''), 'base64')
const hourMs = 3_600_000
/** Nothing is cached for longer than a day. */
const retentionMs = 26 * hourMs

await mkdir(folder, { recursive: true })
setInterval(() => void deleteOldFiles(), hourMs)

createServer((request, response) => void receive(request, response)).listen(Number(port), '127.0.0.1', () =>
  console.log('ready'),
)

async function receive(request, response) {
  try {
    const body = await text(request)
    if (!isSigned(request.headers, body)) return response.writeHead(401).end()
    for (const id of JSON.parse(body).data.images) {
      if (/^[\w-]{22}$/.test(id)) await writeFile(join(folder, id), '')
    }
    return response.writeHead(204).end()
  } catch (error) {
    console.error(error)
    return response.writeHead(500).end()
  }
}

/** As Standard Webhooks 1.0.0 says, at most five minutes ago. */
function isSigned(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': signature = '' } = headers
  if (!(Math.abs(Date.now() / 1000 - Number(seconds)) < 300)) return false
  const expected = Buffer.from(`v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`)
  const given = Buffer.from(signature)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

async function deleteOldFiles() {
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    if ((await stat(path)).mtimeMs < Date.now() - retentionMs) await unlink(path)
  }
}
