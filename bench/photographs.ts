// Real photographs, from a package of Debian: they are under CC BY and CC BY-SA, so they stay in a cache and out of the repository.
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
  /** File in it, and what it is called here. */
  files: Record<string, string>
}

const folderInside = 'usr/share/backgrounds'
const packages: Package[] = [
  {
    name: 'lomiri-wallpapers-20.04',
    version: '20.04.0-2',
    sha256: 'd44e89b8473aafe64a5b678f014862dc31335aaaf18665c544d985d854f1a709',
    // 20 MP, baseline, as its camera wrote it.
    files: { 'Kleiber_by_Lukas_Baubkus.jpg': 'bird.jpg' },
  },
  {
    name: 'lomiri-wallpapers-16.04',
    version: '20.04.0-2',
    sha256: 'a99ff6a3bfe451e4cc0682ecb3cc82e71740626d59e4845ae34a0a0e45421eab',
    // 12, 13 and 16 MP, progressive.
    files: {
      'sunset_by_Aitzol_Berasategi.jpg': 'sunset.jpg',
      'Dragonfly_by_Bolly.jpg': 'dragonfly.jpg',
      'seeding_by_Clements_Engelhardt.jpg': 'meadow.jpg',
    },
  },
]
const names = packages.flatMap(({ files }) => Object.values(files))
const downloadWithinMs = 60_000

export type PhotographName = 'bird' | 'sunset' | 'dragonfly' | 'meadow'
export type Photographs = Record<PhotographName, Buffer>

/**
 * Reads them from the cache; downloads 27 MB into it the first time. apt-get takes a package only as its signed list has it, and
 * we only as its hash stands here.
 * @param folder the cache; made when it is not there
 * @returns why not, where they cannot be had: no apt-get, no list, no network, or another version
 */
export async function photographs(folder: string): Promise<Photographs | string> {
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
  const files = await Promise.all(names.map((name) => readFile(join(folder, name))))
  return Object.fromEntries(names.map((name, n) => [name.replace('.jpg', ''), files[n]])) as Photographs
}

async function fetchInto(folder: string, temp: string, { name, version, sha256, files }: Package): Promise<void> {
  await run('apt-get', ['download', `${name}=${version}`], { cwd: temp, timeout: downloadWithinMs })
  const archive = join(temp, `${name}_${version}_all.deb`)
  const found = createHash('sha256')
    .update(await readFile(archive))
    .digest('hex')
  if (found !== sha256) throw new Error(`${name} ${version} has other content than it had`)
  await run('dpkg-deb', ['--extract', archive, temp])
  for (const [inside, here] of Object.entries(files)) {
    // Written beside and renamed: two runs at once find whole files or none.
    await writeFile(join(temp, here), await readFile(join(temp, folderInside, inside)))
    await rename(join(temp, here), join(folder, here))
  }
}
