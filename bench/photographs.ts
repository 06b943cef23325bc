// Real photographs from Debian packages. They are under CC BY, CC BY-SA and the like, so they are
// cached outside the repository.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

interface Package {
  name: string
  version: string
  sha256: string
  /** File in the package's backgrounds, and the name here. */
  files: Record<string, keyof Photographs>
}

const packages: Package[] = [
  {
    name: 'lomiri-wallpapers-20.04',
    version: '20.04.0-2',
    sha256: 'd44e89b8473aafe64a5b678f014862dc31335aaaf18665c544d985d854f1a709',
    // 20 MP, baseline, as written by the camera.
    files: { 'Kleiber_by_Lukas_Baubkus.jpg': 'bird' },
  },
  {
    name: 'lomiri-wallpapers-16.04',
    version: '20.04.0-2',
    sha256: 'a99ff6a3bfe451e4cc0682ecb3cc82e71740626d59e4845ae34a0a0e45421eab',
    // 12, 13 and 16 MP, progressive.
    files: {
      'sunset_by_Aitzol_Berasategi.jpg': 'sunset',
      'Dragonfly_by_Bolly.jpg': 'dragonfly',
      'seeding_by_Clements_Engelhardt.jpg': 'meadow',
    },
  },
]
const downloadTimeoutMs = 60_000

export type Photographs = Record<'bird' | 'sunset' | 'dragonfly' | 'meadow', Buffer>

/**
 * Reads the photographs from the cache; the first run downloads 27 MB into it. apt-get verifies a
 * package against its signed list, and this function against the hashes above.
 * @param folder the cache; created if missing
 * @returns the reason as text when they are unavailable: no apt-get, no package list, no network,
 * or another version
 */
export async function loadPhotographs(folder: string): Promise<Photographs | string> {
  try {
    return await read(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  await mkdir(folder, { recursive: true })
  const temp = await mkdtemp(join(folder, 'download-'))
  try {
    for (const one of packages) await fetchInto(folder, temp, one)
    return await read(folder)
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string }
    return (stderr ?? message).trim().split('\n').at(-1) ?? 'apt-get failed'
  } finally {
    await rm(temp, { recursive: true, force: true })
  }
}

async function read(folder: string): Promise<Photographs> {
  const names = packages.flatMap(({ files }) => Object.values(files))
  const found = names.map(async (name) => [name, await readFile(join(folder, `${name}.jpg`))] as const)
  return Object.fromEntries(await Promise.all(found)) as Photographs
}

async function fetchInto(folder: string, temp: string, { name, version, sha256, files }: Package): Promise<void> {
  await run('apt-get', ['download', `${name}=${version}`], { cwd: temp, timeout: downloadTimeoutMs })
  const archive = join(temp, `${name}_${version}_all.deb`)
  const found = createHash('sha256')
    .update(await readFile(archive))
    .digest('hex')
  if (found !== sha256) throw new Error(`${name} ${version} does not match its hash`)
  await run('dpkg-deb', ['--extract', archive, temp])
  for (const [inside, name] of Object.entries(files)) {
    // Written to a temporary file and renamed: concurrent runs see complete files or none.
    const here = `${name}.jpg`
    await writeFile(join(temp, here), await readFile(join(temp, 'usr/share/backgrounds', inside)))
    await rename(join(temp, here), join(folder, here))
  }
}
