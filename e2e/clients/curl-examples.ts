// The uploads by cURL that other hosts publish, with this server's address and key in place of theirs.
import { type ClientRun, confirmDeletion, outputOf } from './client-run.ts'

interface Example {
  host: string
  /** Arguments of curl. Placeholders: ORIGIN, KEY, MANAGE_KEY, PHOTO, ALBUM, ALBUM_NUMBER. */
  args: readonly string[]
  /** As of a client. */
  album?: string
  /** The path of the link in the response. */
  link: string
  /** The path of the URL of a page that deletes. */
  page?: string
  /** Arguments of curl that delete; also with {paths} of the response. */
  deletion?: readonly string[]
}

/** A GIF of one pixel, as in the documentation of imgbb. */
const gif = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'

const imgur = (clientId: string, more: readonly string[]): Pick<Example, 'args' | 'link' | 'deletion'> => {
  const header = ['--header', `Authorization: Client-ID ${clientId}`]
  const fields = ['--form', 'image=@PHOTO', '--form', 'type="image"', '--form', 'title="Simple upload"', ...more]
  return {
    args: ['--location', 'ORIGIN/3/image', ...header, ...fields],
    link: 'data.link',
    deletion: ['--location', '--request', 'DELETE', 'ORIGIN/3/image/{data.deletehash}', ...header],
  }
}

const lskyHeaders = ['-H', 'Authorization: Bearer MANAGE_KEY', '-H', 'Accept: application/json']

const examples: Example[] = [
  {
    host: 'native',
    args: [
      ...['-X', 'POST', 'ORIGIN/api/upload', '-H', 'Authorization: Bearer KEY'],
      ...['-F', 'album=ALBUM', '-F', 'image=@PHOTO'],
    ],
    album: 'album',
    link: 'url',
    page: 'delete_url',
  },
  {
    host: 'Chevereto v1',
    args: [
      ...['-X', 'POST', '-H', 'X-API-Key: KEY', '-H', 'Content-Type: multipart/form-data'],
      ...['-F', 'album_id=ALBUM', '-F', 'source=@PHOTO', 'ORIGIN/api/1/upload'],
    ],
    album: 'album_id',
    link: 'image.url',
    page: 'image.delete_url',
  },
  {
    host: 'imgbb v1',
    args: ['--location', '--request', 'POST', 'ORIGIN/1/upload?expiration=600&key=KEY', '--form', `image=${gif}`],
    link: 'data.url',
    page: 'data.delete_url',
  },
  { host: 'Imgur v3', ...imgur('KEY', ['--form', 'album=ALBUM']), album: 'album' },
  { host: 'Imgur v3, as a guest', ...imgur('546c25a59c58ad7', []), album: 'none' },
  {
    host: 'Lsky Pro v2',
    args: ['-X', 'POST', 'ORIGIN/api/v1/upload', ...lskyHeaders, '-F', 'album_id=ALBUM_NUMBER', '-F', 'file=@PHOTO'],
    album: 'album_id',
    link: 'data.links.url',
    deletion: ['-X', 'DELETE', 'ORIGIN/api/v1/images/{data.key}', ...lskyHeaders],
  },
  {
    host: 'PicGo server',
    args: ['-X', 'POST', 'ORIGIN/upload?key=KEY', '-F', 'list=@PHOTO'],
    link: 'result.0',
    deletion: [
      ...['-X', 'POST', 'ORIGIN/delete', '-H', 'Content-Type: application/json'],
      ...['-d', '{"list":{fullResult}}'],
    ],
  },
  {
    host: 'Zipline',
    args: ['-H', 'authorization: KEY', '-H', 'x-zipline-folder: ALBUM', 'ORIGIN/api/upload', '-F', 'file=@PHOTO'],
    album: 'x-zipline-folder',
    link: 'files.0.url',
  },
  {
    host: 'Slink',
    args: ['-X', 'POST', 'ORIGIN/api/external/upload', '-H', 'Authorization: Bearer KEY', '-F', 'image=@PHOTO'],
    link: 'url',
  },
]

/** @param version of curl */
export const curlExamples = (version: string): ClientRun[] =>
  examples.map(({ host, args, album: named, link, page, deletion }) => ({
    client: `cURL ${version}`,
    api: host,
    programs: ['curl'],
    ...(named !== undefined && { album: named }),
    async upload({ origin, key, manageKey, photo, album }) {
      const ids = { ALBUM_NUMBER: album.number, ALBUM: album.id }
      const values = { ORIGIN: origin, MANAGE_KEY: manageKey, KEY: key, PHOTO: photo, ...ids }
      const curl = (given: readonly string[]) =>
        outputOf('curl', ['--silent', '--fail-with-body', ...given.map((arg) => filledIn(arg, values))])
      const response: unknown = JSON.parse(await curl(args))
      const uploaded = { link: textAt(response, link) }
      if (page !== undefined) return { ...uploaded, remove: () => confirmDeletion(textAt(response, page)) }
      if (deletion === undefined) return uploaded
      const filled = deletion.map((arg) => arg.replace(/\{([\w.]+)\}/, (_, path: string) => textAt(response, path)))
      return { ...uploaded, remove: () => curl(filled) }
    },
  }))

const filledIn = (arg: string, values: Record<string, string>) =>
  Object.entries(values).reduce((text, [name, value]) => text.replace(name, value), arg)

/** @throws with the response when it has nothing there */
function textAt(response: unknown, path: string): string {
  const value = path
    .split('.')
    .reduce((part: unknown, step) => (part as Record<string, unknown> | undefined)?.[step], response)
  if (value === undefined) throw new Error(`Nothing at ${path} of ${JSON.stringify(response)}`)
  return typeof value === 'string' ? value : JSON.stringify(value)
}
