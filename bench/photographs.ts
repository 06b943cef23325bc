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
  /** Path in the package below usr/share, and the local name. */
  files: Record<string, string>
}

const lomiri20: Package = {
  name: 'lomiri-wallpapers-20.04',
  version: '20.04.0-2',
  sha256: 'd44e89b8473aafe64a5b678f014862dc31335aaaf18665c544d985d854f1a709',
  // 20 MP, baseline, as written by the camera.
  files: { 'backgrounds/Kleiber_by_Lukas_Baubkus.jpg': 'bird.jpg' },
}
const lomiri16: Package = {
  name: 'lomiri-wallpapers-16.04',
  version: '20.04.0-2',
  sha256: 'a99ff6a3bfe451e4cc0682ecb3cc82e71740626d59e4845ae34a0a0e45421eab',
  // 12, 13 and 16 MP, progressive.
  files: {
    'backgrounds/sunset_by_Aitzol_Berasategi.jpg': 'sunset.jpg',
    'backgrounds/Dragonfly_by_Bolly.jpg': 'dragonfly.jpg',
    'backgrounds/seeding_by_Clements_Engelhardt.jpg': 'meadow.jpg',
  },
}
const packages = [lomiri20, lomiri16]

/** Of the same name in the cache. */
const under = (folder: string, names: string, suffix = '.jpg') =>
  Object.fromEntries(names.split(' ').map((name) => [`${folder}/${name}${suffix}`, `${name.toLowerCase()}.jpg`]))

/** With those above, 34 photographs of at least 1,600 px, from 2 to 20 MP. */
const collection: Package[] = [
  lomiri20,
  {
    ...lomiri16,
    files: {
      ...lomiri16.files,
      ...under(
        'backgrounds',
        'Bridge_by_Sander_Klootwijk Picture_0B_by_freespace Wine_by_Jakkub_Mede aitzgorri_by_Aitzol_Berasategi ' +
          'free_by_Peter_Nerlich friends_by_Aitzol_Berasategi greentock_by_Peter_Nerlich life_by_Aitzol_Berasategi ' +
          'picosdeeuropa_by_Aitzol_Berasategi',
      ),
    },
  },
  {
    name: 'mate-backgrounds',
    version: '1.26.0-1',
    sha256: '7bf4c2209f34b4f61ba6d24c8b58c28b361e82e4b943aae6d42c030169af9e04',
    files: under(
      'backgrounds/mate/nature',
      'Aqua Blinds Dune FreshFlower Garden LadyBird RainDrops Storm TwoWings Wood YellowFlower',
    ),
  },
  {
    name: 'plasma-workspace-wallpapers',
    version: '4:5.27.5-2',
    sha256: '32cd18b71c8c938a18b3b351f217c02ac590e323caa3cf322fbb875ce8892f8b',
    files: under(
      'wallpapers',
      'BytheWater ColdRipple ColorfulCups DarkestHour EveningGlow FallenLeaf Grey Kite OneStandsOut Path',
      '/contents/images/2560x1600.jpg',
    ),
  },
]
const downloadTimeoutMs = 60_000

export type PhotographName = 'bird' | 'sunset' | 'dragonfly' | 'meadow'
export type Photographs = Record<PhotographName, Buffer>

/**
 * Reads the photographs from the cache; the first run downloads 27 MB into it. apt-get verifies a
 * package against its signed list, and this function against the hashes above.
 * @param folder the cache; created if missing
 * @returns the reason as text when they are unavailable: no apt-get, no package list, no network,
 * or another version
 */
export async function loadPhotographs(folder: string): Promise<Photographs | string> {
  const files = await load(folder, packages)
  if (typeof files === 'string') return files
  return Object.fromEntries(files.map(([name, bytes]) => [name.replace('.jpg', ''), bytes])) as Photographs
}

/** The same of a collection of 34, for which the first run downloads 168 MB. */
export async function loadPhotographCollection(folder: string): Promise<Buffer[] | string> {
  const files = await load(folder, collection)
  return typeof files === 'string' ? files : files.map(([, bytes]) => bytes)
}

type NamedFile = [name: string, bytes: Buffer]

async function load(folder: string, from: Package[]): Promise<NamedFile[] | string> {
  try {
    return await read(folder, from)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  await mkdir(folder, { recursive: true })
  const temp = await mkdtemp(join(folder, 'download-'))
  try {
    for (const one of from) await fetchInto(folder, temp, one)
    return await read(folder, from)
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string }
    return (stderr ?? message).trim().split('\n').at(-1) ?? 'apt-get failed'
  } finally {
    await rm(temp, { recursive: true, force: true })
  }
}

const read = (folder: string, from: Package[]): Promise<NamedFile[]> =>
  Promise.all(
    from
      .flatMap(({ files }) => Object.values(files))
      .map(async (name): Promise<NamedFile> => [name, await readFile(join(folder, name))]),
  )

async function fetchInto(folder: string, temp: string, { name, version, sha256, files }: Package): Promise<void> {
  await run('apt-get', ['download', `${name}=${version}`], { cwd: temp, timeout: downloadTimeoutMs })
  const archive = join(temp, `${name}_${version.replace(':', '%3a')}_all.deb`)
  const found = createHash('sha256')
    .update(await readFile(archive))
    .digest('hex')
  if (found !== sha256) throw new Error(`${name} ${version} does not match its hash`)
  await run('dpkg-deb', ['--extract', archive, temp])
  for (const [inside, here] of Object.entries(files)) {
    // Written to a temporary file and renamed: concurrent runs see complete files or none.
    await writeFile(join(temp, here), await readFile(join(temp, 'usr/share', inside)))
    await rename(join(temp, here), join(folder, here))
  }
}
