// Requests as the clients of other hosts send them, read from their sources or recorded. Each is built
// from a key and the bytes of an image.

interface ClientRequest {
  path: string
  headers: Record<string, string>
  body: Uint8Array
  /** Bytes of a resumable upload that follow in a PATCH. */
  rest?: Uint8Array
}

interface Part {
  name: string
  fileName?: string
  type?: string
  value: string | Uint8Array
}

const boundary = '--------------------------406218474205'

export function multipart(parts: Part[]): Pick<ClientRequest, 'headers' | 'body'> {
  const chunks = parts.flatMap(({ name, fileName, type, value }) => [
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${fileName === undefined ? '' : `; filename="${fileName}"`}\r\n`,
    `${type === undefined ? '' : `Content-Type: ${type}\r\n`}\r\n`,
    value,
    '\r\n',
  ])
  const body = Buffer.concat([...chunks, `--${boundary}--\r\n`].map((chunk) => Buffer.from(chunk as Uint8Array)))
  return { headers: { 'content-type': `multipart/form-data; boundary=${boundary}` }, body }
}

const file = (name: string, value: Uint8Array): Part => ({ name, fileName: 'photo.png', type: 'image/png', value })
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
export const form = (fields: Record<string, string>) => ({
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: Buffer.from(new URLSearchParams(fields).toString()),
})

export type Build = (key: string, image: Uint8Array) => ClientRequest

const withHeaders = (
  path: string,
  sent: Pick<ClientRequest, 'headers' | 'body'>,
  headers: Record<string, string> = {},
) => ({
  path,
  body: sent.body,
  headers: { ...sent.headers, ...headers },
})

/** The client, its request, and the path of the link in the response that it reads. */
export const clientRequests: [client: string, build: Build, link: string[]][] = [
  [
    'ShareX with our .sxcu',
    (key, image) => withHeaders('/api/upload', multipart([file('image', image)]), { authorization: `Bearer ${key}` }),
    ['url'],
  ],
  [
    'PicGo lankong V1 (Lsky 1)',
    (key, image) =>
      withHeaders('/api/upload', multipart([file('image', image), { name: 'ssl', value: 'true' }]), {
        token: key,
        'user-agent': 'PicGo',
      }),
    ['data', 'url'],
  ],
  [
    'Twikoo with EasyImage',
    (key, image) =>
      withHeaders('/api/upload', multipart([{ name: 'token', value: key }, file('image', image)]), {
        accept: 'application/json, text/plain, */*',
        'user-agent': 'Twikoo',
      }),
    ['url'],
  ],
  [
    'uPic with base64 in JSON',
    (key, image) => ({
      path: '/api/upload',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify({ image: base64(image) })),
    }),
    ['url'],
  ],
  [
    'Zipline',
    (key, image) =>
      withHeaders('/api/upload', multipart([file('file', image)]), {
        authorization: key,
        'x-zipline-deletes-at': '1d',
        'x-zipline-format': 'random',
      }),
    ['files', '0', 'url'],
  ],
  [
    'Slink',
    (key, image) =>
      withHeaders('/api/external/upload', multipart([file('image', image)]), { authorization: `Bearer ${key}` }),
    ['url'],
  ],
  [
    'ShareX with Chevereto',
    (key, image) =>
      withHeaders(
        '/api/1/upload',
        multipart([{ name: 'key', value: key }, { name: 'format', value: 'json' }, file('source', image)]),
      ),
    ['image', 'url'],
  ],
  [
    'imgbb-uploader 1.5 with Chevereto',
    (key, image) => withHeaders('/api/1/upload', form({ source: base64(image), key }), { accept: 'application/json' }),
    ['image', 'url'],
  ],
  [
    'imgbb-uploader 1.5',
    (key, image) => withHeaders(`/1/upload?key=${key}&name=photo`, form({ image: base64(image) })),
    ['data', 'url'],
  ],
  [
    'imgur 2.6 with a stream',
    (key, image) =>
      withHeaders('/3/image', multipart([file('image', image), { name: 'type', value: 'stream' }]), {
        authorization: `Client-ID ${key}`,
      }),
    ['data', 'link'],
  ],
  [
    'imgur 2.6 with base64',
    (key, image) =>
      withHeaders(
        '/3/image',
        multipart([
          { name: 'image', value: base64(image) },
          { name: 'type', value: 'base64' },
          { name: 'title', value: 'photo' },
        ]),
        { authorization: `Client-ID ${key}` },
      ),
    ['data', 'link'],
  ],
  [
    'xfce4-screenshooter 1.10 (bytes in a part without a file name)',
    (key, image) =>
      withHeaders('/3/upload', multipart([{ name: 'image', value: image }]), { authorization: `Client-ID ${key}` }),
    ['data', 'link'],
  ],
  [
    'Flameshot 12.1',
    (key, image) => ({
      path: '/3/image',
      headers: {
        authorization: `Client-ID ${key}`,
        'content-type': 'application/application/x-www-form-urlencoded',
      },
      body: image,
    }),
    ['data', 'link'],
  ],
  [
    'PicGo lankong V2 (Lsky 2)',
    (key, image) =>
      withHeaders(
        '/api/v1/upload',
        multipart([file('file', image), { name: 'ssl', value: 'true' }, { name: 'permission', value: '1' }]),
        { authorization: `Bearer ${key}`, accept: 'application/json' },
      ),
    ['data', 'links', 'url'],
  ],
  [
    'PicList with a bare key',
    (key, image) => withHeaders('/api/v1/upload', multipart([file('file', image)]), { authorization: key }),
    ['data', 'links', 'url'],
  ],
  [
    'Obsidian image-auto-upload (remote mode)',
    (key, image) => withHeaders(`/upload?key=${key}`, multipart([file('list', image), file('list', image)])),
    ['result', '1'],
  ],
  [
    'Twikoo with PicList',
    (key, image) => withHeaders(`/upload?key=${key}`, multipart([file('file', image)])),
    ['result', '0'],
  ],
  [
    'PicGo 3.1',
    (key, image) => withHeaders('/upload', multipart([file('files', image)]), { authorization: `Bearer ${key}` }),
    ['items', '0', 'imgUrl'],
  ],
  [
    'tus-js-client 4.3 with uploadDataDuringCreation',
    (key, image) => ({
      path: '/api/uploads',
      headers: { ...tusHeaders(key, image), 'content-type': 'application/offset+octet-stream' },
      body: image,
    }),
    ['url'],
  ],
]

const tusHeaders = (key: string, image: Uint8Array) => ({
  authorization: `Bearer ${key}`,
  'tus-resumable': '1.0.0',
  'upload-length': String(image.length),
  'upload-metadata': `filename ${base64(Buffer.from('photo.png'))},filetype ${base64(Buffer.from('image/png'))}`,
})

/** Its usual two requests. */
export const tusRequest: Build = (key, image) => ({
  path: '/api/uploads',
  headers: tusHeaders(key, image),
  body: new Uint8Array(),
  rest: image,
})

/** ksnip reads XML, and can be given an address only. */
export const ksnipRequest: Build = (key, image) => ({
  path: `/k/${key}/3/upload.xml?title=ksnip&description=`,
  headers: { authorization: 'Client-ID 16d41e28a3ba71e', 'content-type': 'application/x-www-form-urlencoded' },
  body: image,
})
