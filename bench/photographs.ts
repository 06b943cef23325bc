// Real photographs from Debian packages, under CC BY, CC BY-SA and the like.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { unpackOnce } from './unpack-once.ts'

const version = '20.04.0-2'

/** apt-get verifies a package against its signed list, and unpackOnce() against this SHA-256. */
const packages = {
  'lomiri-wallpapers-20.04': 'd44e89b8473aafe64a5b678f014862dc31335aaaf18665c544d985d854f1a709',
  'lomiri-wallpapers-16.04': 'a99ff6a3bfe451e4cc0682ecb3cc82e71740626d59e4845ae34a0a0e45421eab',
}

const files = {
  // 20 MP, baseline, as written by the camera.
  bird: 'lomiri-wallpapers-20.04/usr/share/backgrounds/Kleiber_by_Lukas_Baubkus.jpg',
  // 12, 13 and 16 MP, progressive.
  sunset: 'lomiri-wallpapers-16.04/usr/share/backgrounds/sunset_by_Aitzol_Berasategi.jpg',
  dragonfly: 'lomiri-wallpapers-16.04/usr/share/backgrounds/Dragonfly_by_Bolly.jpg',
  meadow: 'lomiri-wallpapers-16.04/usr/share/backgrounds/seeding_by_Clements_Engelhardt.jpg',
}

export type Photographs = Record<keyof typeof files, Buffer>

/**
 * Reads the photographs from the cache; the first run downloads 27 MB into it.
 * @param folder the cache; created if missing
 * @returns the reason as text when they are unavailable: no apt-get, no package list, no network, or another version
 */
export async function loadPhotographs(folder: string): Promise<Photographs | string> {
  for (const [name, value] of Object.entries(packages)) {
    const lack = await unpackOnce(join(folder, name), {
      name,
      hash: { algorithm: 'sha256', encoding: 'hex', value },
      download: ['apt-get', 'download', `${name}=${version}`],
      unpack: (archive, into) => ['dpkg-deb', '--extract', archive, into],
    })
    if (lack !== undefined) return lack
  }
  const read = Object.entries(files).map(async ([name, path]) => [name, await readFile(join(folder, path))] as const)
  return Object.fromEntries(await Promise.all(read)) as Photographs
}
