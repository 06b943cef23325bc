// Runs the unchanged clients of other projects against the built product: npm packages, desktop programs, and the published
// cURL commands. Each uploads an image, its link is opened, and where the client can, it deletes the image.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { jpeg } from '../e2e-images.ts'
import { startServer } from '../server.ts'
import { type ClientRun, type Context, outputOf } from './client-run.ts'
import { curlExamples } from './curl-examples.ts'
import { desktopClients } from './desktop-clients.ts'
import { npmClients, packages } from './npm-clients.ts'

export interface Result {
  client: string
  api: string
  outcome: Outcome
}

/** '-' where the client cannot delete. */
type Outcome = { link: 'works'; deleted: 'yes' | '-' } | { missing: string } | { failure: string }

/** Runs every client, and yields what it did. */
export async function* runClients(): AsyncGenerator<Result> {
  const session = await openSession()
  try {
    await installPackages(session.folder)
    const all = [...npmClients, ...(await desktopRuns()), ...curlExamples((await versionOf('curl')) ?? '')]
    for (const run of all) yield { client: run.client, api: run.api, outcome: await session.outcomeOf(run) }
  } finally {
    await session.close()
  }
}

/** A server with an account, and a folder for the clients. */
export async function openSession() {
  const folder = await mkdtemp(join(tmpdir(), 'real-clients-'))
  const server = await startServer()
  const account = await newAccount(server.url)
  let photos = 0
  return {
    folder,
    async outcomeOf(run: ClientRun): Promise<Outcome> {
      const photo = join(folder, `photo-${photos}.jpg`)
      await writeFile(photo, await jpeg(300, 200, photos++ * 10))
      return outcomeOf(run, { ...account, origin: server.url, photo, folder })
    },
    async close(): Promise<void> {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function outcomeOf(run: ClientRun, context: Context): Promise<Outcome> {
  for (const program of run.programs ?? []) if (!(await isInstalled(program))) return { missing: program }
  try {
    const { link, remove } = await run.upload(context)
    const { status, headers } = await fetch(link)
    if (status !== 200 || !headers.get('content-type')?.startsWith('image/'))
      return { failure: `${link} responds ${status} ${headers.get('content-type')}` }
    if (remove === undefined) return { link: 'works', deleted: '-' }
    await remove()
    const after = await fetch(link)
    return after.status === 410
      ? { link: 'works', deleted: 'yes' }
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

async function newAccount(origin: string): Promise<Pick<Context, 'key' | 'manageKey'>> {
  const send = async (path: string, body: object, token?: string) => {
    const headers = {
      'content-type': 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    }
    const response = await fetch(origin + path, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(await response.text())
    return (await response.json()) as { token: string; key: string }
  }
  const { token } = await send('/api/register', { email: 'clients@example.com', password: 'secret clients' })
  const keyOf = async (scope: string) => (await send('/api/api-keys', { name: scope, scopes: [scope] }, token)).key
  return { key: await keyOf('upload'), manageKey: await keyOf('manage') }
}
