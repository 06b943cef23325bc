// F18: imports from small instances of other hosts are killed repeatedly. Afterwards every picture is there once, with owner,
// name, date and a redirect from each old address, and another run changes nothing.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type OtherHost,
  type OtherHostImage,
  makeChevereto,
  makeLsky,
  makeLychee,
  makePicsur,
  makeSlink,
  makeZipline,
} from '../server/testing/other-hosts.ts'
import { startMariaDb } from '../server/testing/mariadb.ts'
import { newDatabase, startPostgres } from '../server/testing/postgres.ts'
import { jpeg } from '../server/testing/test-images.ts'
import { atLeast, type Finding, type Form, info, none, type Scenario } from './scenario.ts'
import { missingForPostgres } from './postgres-available.ts'
import { type Ended, startCommand } from './programs.ts'
import { type Defer, openFolder, withFolder, withServer } from './resources.ts'
import { queryRows } from './sqlite-file.ts'
import { leftoversIn } from './verify.ts'

const shape = {
  short: { pictures: 24, kills: 1, mostPerStart: 12 },
  full: { pictures: 1000, kills: 4, mostPerStart: 150 },
} as const

export const scenario: Scenario = {
  id: 'F18',
  title: 'kill -9 amid imports from other hosts',
  // The short form imports from SQLite only.
  missing: async (form) => (form === 'full' ? missingForPostgres() : undefined),
  run,
}

type Hosts = Record<string, (place: { folder: string; images: OtherHostImage[] }) => Promise<OtherHost>>

async function run(form: Form, defer: Defer): Promise<Finding[]> {
  const folder = await openFolder(defer)
  const postgres = form === 'full' ? await startPostgres() : null
  defer(() => postgres?.stop())
  const mariaDb = form === 'full' ? await startMariaDb() : null
  defer(() => mariaDb?.stop())
  const pictures = await makeImages(shape[form].pictures)
  const newUrl = async () => (await newDatabase(postgres?.url ?? '')).url
  const hosts: Hosts = {
    Slink: makeSlink,
    ...(postgres && {
      Zipline: async (place) => makeZipline(place, await newUrl(), 'no hash'),
      Picsur: async (place) => makePicsur(place, await newUrl()),
      Lychee: (place) => makeLychee(place, 7),
      Lsky: (place) => makeLsky(place, join(place.folder, 'lsky.sqlite')),
    }),
    ...(mariaDb && { Chevereto: async (place) => makeChevereto(place, await mariaDb.newDatabase()) }),
  }
  const wrongs: string[] = []
  const figures: Finding[] = []
  let kills = 0
  for (const [name, make] of Object.entries(hosts)) {
    const host = await make({ folder: await mkdtemp(join(folder, 'host-')), images: pictures })
    const start = performance.now()
    const result = await importKilled(host, pictures, form)
    kills += result.kills
    wrongs.push(...result.wrongs.map((wrong) => `${name}: ${wrong}`))
    figures.push(info(`${name}: pictures imported, starts killed`, `${result.images}, ${result.kills}`))
    if (form === 'full')
      console.log(`  ${name}: ${Math.round((performance.now() - start) / 1000)} s, ${result.wrongs.length} wrongs`)
  }
  return [
    atLeast('hosts', Object.keys(hosts).length, form === 'full' ? 5 : 1),
    atLeast('imports killed', kills, Object.keys(hosts).length * shape[form].kills),
    none('pictures lost, doubled, or without owner, name, date or redirect; files left over', wrongs),
    ...figures,
  ]
}

const makeImages = (count: number): Promise<OtherHostImage[]> =>
  Promise.all(
    Array.from({ length: count }, async (_, n) => ({
      bytes: await jpeg(40 + (n % 50), 30 + Math.floor(n / 50)),
      name: `StoredImage ${n}.jpg`,
      // The others are suspended or guests, whose images prove less.
      owner: 1 as const,
      createdAt: new Date(Date.UTC(2024, 4, 6) + n * 60_000),
    })),
  )

const importKilled = (host: OtherHost, pictures: OtherHostImage[], form: Form) =>
  withFolder(async (folder) => {
    const [dataDir, report] = [join(folder, 'data'), join(folder, 'report.csv')]
    const files = host.files === undefined ? [] : ['--files', host.files]
    const args = ['import-from', host.kind, host.location, ...files, '--report', report]
    const run = (killAfter?: number) => runImport(dataDir, args, report, killAfter)
    const wrongs: string[] = []
    let kills = 0
    while (kills < shape[form].kills) {
      const { signal } = await run(Math.floor(Math.random() * shape[form].mostPerStart))
      if (signal !== 'SIGKILL') break
      kills++
    }
    const last = await run()
    if (last.code !== 1) wrongs.push(`ended with ${last.code}: ${last.printed.slice(-500)}`)
    if (!last.printed.includes(`${host.problems} not imported.`)) wrongs.push(last.printed.slice(-200))
    const again = await run()
    if (!again.printed.includes('Pictures: 0 imported,')) wrongs.push(`a second run: ${again.printed.slice(-200)}`)
    const images = await verify(host, pictures, dataDir, wrongs)
    wrongs.push(...(await leftoversIn(dataDir)))
    return { images, kills, wrongs }
  })

/** @param killAfter how many pictures are imported before the process is killed */
async function runImport(dataDir: string, args: string[], report: string, killAfter?: number): Promise<Ended> {
  await rm(report, { force: true })
  const { child, ended } = startCommand(dataDir, args, { USER_QUOTA_IMAGES: '0' })
  if (killAfter !== undefined) {
    while (child.exitCode === null && (await importedIn(report)) < killAfter) await sleep(5)
    child.kill('SIGKILL')
  }
  return ended
}

/** @returns -1 while the import has not started */
async function importedIn(report: string): Promise<number> {
  const lines = await readFile(report, 'utf8').catch(() => '')
  return lines === '' ? -1 : lines.split('\nimported,image,').length - 1
}

/** @returns the number of images */
async function verify(host: OtherHost, pictures: OtherHostImage[], dataDir: string, wrongs: string[]): Promise<number> {
  const images = await queryRows<{ id: string; original_name: string; email: string | null; created_at: number }>(
    dataDir,
    'SELECT images.id, original_name, email, images.created_at FROM images LEFT JOIN users ON users.id = images.owner_id',
  )
  if (images.length !== pictures.length + host.more) wrongs.push(`${images.length} images`)
  const byName = new Map(images.map((image) => [image.original_name, image]))
  await withServer({ dataDir, env: { LEGACY_PATHS: 'on' } }, async (server) => {
    for (const [n, { name, createdAt }] of pictures.entries()) {
      const image = byName.get(name)
      if (image?.email !== host.emails[0] || image?.created_at !== createdAt.getTime())
        wrongs.push(`${name}: ${JSON.stringify(image)}`)
      for (const path of host.pathsOf(n)) {
        const response = await fetch(server.url + path, { redirect: 'manual' })
        if (!response.headers.get('location')?.includes(image?.id ?? name)) wrongs.push(`${path}: ${response.status}`)
      }
      // Renders are slow; the original proves that the bytes are there.
      const original = await fetch(server.url + (host.pathsOf(n)[0] ?? ''))
      if (original.status !== 200) wrongs.push(`${name}: ${original.status}`)
      await original.arrayBuffer()
    }
  })
  return images.length
}
