// Every way to store an image by HTTP: the requests of all clients, at every route that takes one.
import { type Build, clientRequests, form, ksnipRequest, multipart, tusRequest } from './client-requests.ts'

export interface Door {
  name: string
  build: Build
  /** Images that the request stores: its client sends the same one so many times. */
  files: number
  /** Neither guests nor sessions. */
  keysOnly?: true
}

export interface DoorOfSeveral {
  name: string
  build: (key: string, images: Uint8Array[]) => ReturnType<Build>
}

const base64 = (image: Uint8Array) => Buffer.from(image).toString('base64')
const bearer = (key: string): Record<string, string> => (key === '' ? {} : { authorization: `Bearer ${key}` })
const json = (path: string, key: string, body: object) => ({
  path,
  headers: { ...bearer(key), 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify(body)),
})
const fields = (path: string, key: string, given: Record<string, string>) => ({ path, ...form({ ...given, key }) })

/** @param args of the tool */
function mcp(key: string, args: object) {
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'upload_image', arguments: args } }
  const sent = json('/mcp', key, call)
  return { ...sent, headers: { ...sent.headers, accept: 'application/json, text/event-stream' } }
}

/** @param publish makes an image available at the returned URL */
export const doorsOf = (publish: (image: Uint8Array) => string): Door[] => [
  ...clientRequests.map(([name, build]) => ({ name, build, files: name.startsWith('Obsidian') ? 2 : 1 })),
  ...(
    [
      ['ksnip', ksnipRequest],
      ['Imgur 3 with XML', (key, image) => ({ ...ksnipRequest(key, image), path: `/k/${key}/3/image.xml` })],
      ['tus-js-client 4.3', tusRequest],
      ['our own API by URL in JSON', (key, image) => json('/api/upload', key, { url: publish(image) })],
      [
        'our own API by URL in a form',
        (key, image) => {
          const { headers, body } = multipart([{ name: 'url', value: publish(image) }])
          return { path: '/api/upload', headers: { ...headers, ...bearer(key) }, body }
        },
      ],
      ['Chevereto by URL', (key, image) => fields('/api/1/upload', key, { source: publish(image) })],
      ['imgbb by URL', (key, image) => fields('/1/upload', key, { image: publish(image) })],
      ['Imgur by URL', (key, image) => json('/3/image', key, { image: publish(image), type: 'url' })],
      ['Lsky 2 by URL', (key, image) => json('/api/v1/upload', key, { file: publish(image) })],
      ['PicGo by URL', (key, image) => json('/upload', key, { list: [publish(image)] })],
      ['Slink by URL', (key, image) => json('/api/external/upload', key, { image: publish(image) })],
    ] satisfies [string, Build][]
  ).map(([name, build]) => ({ name, build, files: 1 })),
  { name: 'MCP', build: (key, image) => mcp(key, { data: base64(image) }), files: 1, keysOnly: true },
  { name: 'MCP by URL', build: (key, image) => mcp(key, { url: publish(image) }), files: 1, keysOnly: true },
]

/** Those that take several images at once. */
export const doorsOfSeveral = (publish: (image: Uint8Array) => string): DoorOfSeveral[] => [
  {
    name: 'PicGo',
    build(key, images) {
      const parts = images.map((value) => ({ name: 'list', fileName: 'a.png', value }))
      const { headers, body } = multipart(parts)
      return { path: '/upload', headers: { ...headers, ...bearer(key) }, body }
    },
  },
  { name: 'PicGo in JSON', build: (key, images) => json('/upload', key, { list: images.map(base64) }) },
  { name: 'PicGo by URL', build: (key, images) => json('/upload', key, { list: images.map(publish) }) },
  {
    name: 'Zipline',
    build(key, images) {
      const parts = images.map((value) => ({ name: 'file', fileName: 'a.png', value }))
      const { headers, body } = multipart(parts)
      return { path: '/api/upload', headers: { ...headers, ...bearer(key), 'x-zipline-format': 'random' }, body }
    },
  },
]
