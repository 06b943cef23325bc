// Archives of images that are cached outside the repository, because they are under other licences.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const downloadTimeoutMs = 60_000

type Command = readonly [program: string, ...args: string[]]

interface Archive {
  name: string
  hash: { algorithm: 'sha256' | 'sha512'; encoding: 'hex' | 'base64'; value: string }
  /** Downloads the archive into the working folder. */
  download: Command
  unpack(archive: string, into: string): Command
}

/**
 * Downloads and unpacks an archive, unless an earlier run did.
 * @returns the reason as text when it is unavailable
 */
export async function unpackOnce(
  folder: string,
  { name, hash, download, unpack }: Archive,
): Promise<string | undefined> {
  if (await readdir(folder).catch(() => null)) return undefined
  await mkdir(dirname(folder), { recursive: true })
  const temp = await mkdtemp(join(dirname(folder), 'download-'))
  const execute = ([program, ...args]: Command) => run(program, args, { cwd: temp, timeout: downloadTimeoutMs })
  try {
    await execute(download)
    const archive = join(temp, (await readdir(temp))[0] ?? '')
    const found = createHash(hash.algorithm).update(await readFile(archive))
    if (found.digest(hash.encoding) !== hash.value) return `${name} does not match its hash`
    await mkdir(join(temp, 'unpacked'))
    await execute(unpack(archive, join(temp, 'unpacked')))
    // Renamed when complete: an interrupted download is repeated.
    await rename(join(temp, 'unpacked'), folder)
    return undefined
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string }
    return `${name} cannot be fetched: ${(stderr || message).trim().split('\n').at(-1)}`
  } finally {
    await rm(temp, { recursive: true, force: true })
  }
}
