// Runs the unchanged clients of other projects against the built product: npm packages, desktop programs, and the published
// cURL commands. Each uploads an image into an album of its own, its link is opened, the product's API shows the album with it,
// and where the client can, it deletes the image.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { jpeg } from '../e2e-images.ts'
import { startServer } from '../server.ts'
import { type ClientRun, type Context, outputOf } from './client-run.ts'
import { curlExamples } from './curl-examples.ts'
import { desktopClients } from './desktop-clients.ts'
import { npmClients, packages } from './npm-clients.ts'
import { shareXFile } from './sharex-file.ts'

export interface Result {
  client: string
  api: string
  outcome: Outcome
}

/** `album`: what named it, or '-' for a guest; `deleted`: '-' where the client cannot. */
type Outcome = { link: 'works'; album: string; deleted: 'yes' | '-' } | { missing: string } | { failure: string }

/** Runs every client, and yields what it did. */
export async function* runClients(): AsyncGenerator<Result> {
  const session = await openSession()
  try {
    await installPackages(session.folder)
    const curl = (await versionOf('curl')) ?? ''
    const all = [...npmClients, ...(await desktopRuns()), shareXFile(curl), ...curlExamples(curl)]
    for (const run of all) yield { client: run.client, api: run.api, outcome: await session.outcomeOf(run) }
  } finally {
    await session.close()
  }
}

/** A server with an account, and a folder for the clients. */
export async function openSession() {
  const folder = await mkdtemp(join(tmpdir(), 'real-clients-'))
  const server = await startServer()
  let photos = 0
  return {
    folder,
    async outcomeOf(run: ClientRun): Promise<Outcome> {
      const photo = join(folder, `photo-${photos}.jpg`)
      await writeFile(photo, await jpeg(300, 200, photos++ * 10))
      // Each in an account of its own: the number of keys is limited.
      const account = await newAccount(server.url, photos)
      const { keys, album } = await account.newAlbum(run)
      const context = { ...keys, album, origin: server.url, photo, folder }
      return outcomeOf(run, context, account.imagesOf)
    },
    async close(): Promise<void> {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function outcomeOf(
  run: ClientRun,
  context: Context,
  imagesOf: (album: string) => Promise<{ url: string }[]>,
): Promise<Outcome> {
  for (const program of run.programs ?? []) if (!(await isInstalled(program))) return { missing: program }
  try {
    const { link, album = context.album.id, remove } = await run.upload(context)
    const { status, headers } = await fetch(link)
    if (status !== 200 || !headers.get('content-type')?.startsWith('image/'))
      return { failure: `${link} responds ${status} ${headers.get('content-type')}` }
    const shown = (await imagesOf(album)).map(({ url }) => url)
    const isIn = shown.length === 1 && shown[0]?.startsWith(link) === true
    if (isIn === (run.album === 'none')) return { failure: `${link}: the album has ${JSON.stringify(shown)}` }
    const works = { link: 'works', album: run.album === 'none' ? '-' : (run.album ?? 'the key') } as const
    if (remove === undefined) return { ...works, deleted: '-' }
    await remove()
    const after = await fetch(link)
    return after.status === 410
      ? { ...works, deleted: 'yes' }
      : { failure: `deleted, but ${link} responds ${after.status}` }
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) }
  }
}

/** In the folder alone, and without scripts of the packages. */
async function installPackages(folder: string): Promise<void> {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  await writeFile(join(folder, 'package.json'), '{}')
  await outputOf(npm, ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...packages], { cwd: folder })
}

async function desktopRuns(): Promise<ClientRun[]> {
  const versions = new Map<string, string>()
  for (const name of ['ksnip', 'flameshot']) versions.set(name, (await versionOf(name)) ?? '')
  return desktopClients((name) => versions.get(name) ?? '')
}

const isInstalled = (program: string) =>
  outputOf('sh', ['-c', `command -v ${program}`]).then(
    () => true,
    () => false,
  )

/** Of a Debian package; undefined elsewhere. */
const versionOf = (name: string) =>
  outputOf('dpkg-query', ['--show', '--showformat=${Version}', name]).then(
    (version) => version.replace(/[-+].*/, ''),
    () => undefined,
  )

/** An account whose albums are filled by clients and read by the product's own API. */
async function newAccount(origin: string, number: number) {
  // oxlint-disable-next-line typescript/no-explicit-any -- the shape depends on the path
  const ask = async (method: string, path: string, token?: string, body?: object): Promise<any> => {
    const headers = {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    }
    const response = await fetch(origin + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    if (!response.ok) throw new Error(await response.text())
    return response.json()
  }
  const credentials = { email: `client-${number}@example.com`, password: 'secret clients' }
  const { token } = await ask('POST', '/api/register', undefined, credentials)
  const keyOf = async (scope: string, albumId?: string): Promise<string> =>
    (await ask('POST', '/api/api-keys', token, { name: scope, scopes: [scope], albumId })).key
  return {
    /** An empty album, and keys: bound to it if the client cannot name it. */
    async newAlbum({ client, api, album: named }: ClientRun): Promise<Pick<Context, 'album'> & { keys: Keys }> {
      const { id } = await ask('POST', '/api/albums', token, { title: `${client}, ${api}` })
      const { data } = await ask('GET', '/api/v1/albums', token)
      const bound = named === undefined ? id : undefined
      const keys = { key: await keyOf('upload', bound), manageKey: await keyOf('manage', bound) }
      return { album: { id, number: String(data.data[0].id) }, keys }
    },
    imagesOf: (album: string): Promise<{ url: string }[]> => ask('GET', `/api/albums/${album}/images`, token),
  }
}

type Keys = Pick<Context, 'key' | 'manageKey'>
