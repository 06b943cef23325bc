// Starts each installed proxy with its recipe in front of the built product, and runs the checks.
import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { jpeg, jpegOfSize } from '../e2e-images.ts'
import { freePort } from '../../server/testing/free-port.ts'
import { startServer } from '../server.ts'
import { checks } from './checks.ts'
import { createClient } from './client.ts'
import { makeCertificate, startProxy } from './proxy.ts'
import { findProgram, type Recipe, recipes, type TestHost } from './recipes.ts'

export interface Result {
  proxy: string
  check: string
  /** undefined when it passed. */
  failure?: string
  isSkipped?: true
}

/** @param name of the only proxy to run. Default: all */
export async function* runProxies(name?: string): AsyncGenerator<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'image-host-proxies-'))
  // Proxies may run as another user.
  await chmod(folder, 0o755)
  try {
    const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')]
    await makeCertificate(certificate, key)
    const [largeImage, smallImage] = [await jpegOfSize(10_400_000), await jpeg()]
    for (const recipe of recipes) {
      if (name !== undefined && recipe.name.toLowerCase() !== name.toLowerCase()) continue
      const program = await findProgram(recipe)
      if (program === undefined) {
        yield { proxy: recipe.name, check: 'is not installed', isSkipped: true }
        continue
      }
      const own = join(folder, recipe.name)
      await mkdir(own)
      yield* runChecks(recipe, program, { folder: own, certificate, key, largeImage, smallImage })
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

type Given = Pick<TestHost, 'folder' | 'certificate' | 'key'> & { largeImage: Buffer; smallImage: Buffer }

async function* runChecks(recipe: Recipe, program: string, given: Given): AsyncGenerator<Result> {
  const { largeImage, smallImage, ...files } = given
  const dataDir = join(files.folder, 'data')
  const env = {
    PUBLIC_URL: 'https://img.example.com',
    TRUST_PROXY: '1',
    GUEST_MAX_BYTES: String(10 * 1024 ** 2),
    LOG_LEVEL: 'info',
  }
  let server = await startServer({ env, dataDir })
  const serverPort = Number(new URL(server.url).port)
  const host: TestHost = { ...files, serverPort, httpPort: await freePort(), httpsPort: await freePort() }
  const stop = await startProxy(recipe, program, host)
  try {
    const ca = await readFile(files.certificate)
    const context = {
      ...host,
      ca,
      proxy: recipe.name,
      largeImage,
      smallImage,
      call: createClient({ ...host, ca }),
      log: () => parseLines(server.log()),
      async restart() {
        await server.stop()
        server = await startServer({ env, dataDir, port: serverPort })
      },
    }
    for (const [check, run] of Object.entries(checks)) {
      const failure = await run(context).then(
        () => undefined,
        (error: Error) => error.message,
      )
      yield { proxy: recipe.name, check, ...(failure !== undefined && { failure }) }
    }
  } finally {
    await stop()
    await server.stop()
  }
}

function parseLines(log: string): Record<string, unknown>[] {
  return log
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}
