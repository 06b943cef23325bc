// F20: the data disk fills during backups (from the page, by the schedule, by the command) and a restore, and a server starts on it.
import { readdir, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RunningServer } from '../e2e/server.ts'
import { listBackups, startBackup } from './backups.ts'
import { admin, adminSettings, call, logIn, store, upload } from './client.ts'
import { Ledger } from './ledger.ts'
import { jpeg } from './fault-images.ts'
import { type Ended, runCommand } from './programs.ts'
import { missingForSmallDisks, openSmallDisk, type SmallDisk } from './full-disk/small-disk.ts'
import { type Defer, openServer } from './resources.ts'
import { untilTrue } from './until.ts'
import { type Finding, type Form, info, none, type Scenario } from './scenario.ts'

/** A backup is taken only where 64 MB stay free: a full disk has to happen while it is written. */
const size = { megabytes: 200, files: 5000 }
const shape = { short: { rounds: 1, images: 8 }, full: { rounds: 5, images: 8 } } as const

const env = { ...adminSettings, BACKUP_SCHEDULE: '*/2 * * * * *' }
const withoutSchedule = { ...env, BACKUP_SCHEDULE: 'off' }

export const scenario: Scenario = {
  id: 'F20',
  title: `a disk of ${size.megabytes} MB that fills during backups, a restore and starts`,
  missing: missingForSmallDisks,
  run,
}

async function run(form: Form, defer: Defer): Promise<Finding[]> {
  const { rounds, images } = shape[form]
  const image = await jpeg(2600, 2000, 21, 100)
  const disk = await openSmallDisk(defer, size)
  const dataDir = join(disk.folder, 'data')
  const scene: Scene = { disk, dataDir, wrongs: [], ended: [] }
  const first = await openServer(defer, { dataDir, env: withoutSchedule })
  const stored = new Ledger()
  for (let n = 0; n < images; n++) stored.add(await store(first.url, image), image)
  for (let round = 0; round < rounds; round++) await backUp(scene, first, 'page')
  for (let round = 0; round < rounds; round++) await backUpByCommand(scene)
  await first.stop()
  const second = await openServer(defer, { dataDir, env })
  for (let round = 0; round < rounds; round++) await backUp(scene, second, 'schedule')
  const violations = await stored.violations(second.url)
  await second.stop()
  await restore(scene)
  const started = await startOnFullDisk(scene, stored, defer)
  return [
    info('backups that ended by a full disk, of the page, the command and the schedule', scene.ended.length),
    none('servers that ended, files that stay, results without the reason', scene.wrongs),
    none('acknowledged images not served afterwards', violations),
    none('on a start with 0 bytes free: what is not served, or not refused with 507', started),
  ]
}

interface Scene {
  disk: SmallDisk
  dataDir: string
  wrongs: string[]
  /** The reasons of the backups that ended. */
  ended: string[]
}

/** Fills the disk as soon as the archive grows. */
async function fillWhenWriting({ disk, dataDir }: Scene, folder = join(dataDir, 'backups')): Promise<void> {
  const isGrowing = async () => {
    const parts = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.part'))
    const sizes = parts.map((name) =>
      stat(join(folder, name)).then(
        ({ size: bytes }) => bytes,
        () => 0,
      ),
    )
    return (await Promise.all(sizes)).some((bytes) => bytes > 0)
  }
  if ((await untilTrue(isGrowing, 10_000, 2)) === Infinity) throw new Error('No archive grows')
  await disk.fillBut(0)
}

/**
 * Takes backups until one does not complete before the disk is full. Its file is gone at once, and the reason is told.
 * @param take returns the reason why the backup ended; undefined: it was completed
 */
async function verifyEnd(
  { disk, dataDir, wrongs, ended }: Scene,
  how: string,
  take: () => Promise<string | undefined>,
): Promise<void> {
  let reason: string | undefined
  for (let tries = 0; tries < 10 && reason === undefined; tries++) {
    reason = await take()
    await disk.release()
  }
  ended.push(reason ?? '')
  if (!/disk of .* became full/.test(reason ?? '')) wrongs.push(`${how}: the reason is ${reason}`)
  const files = await readdir(join(dataDir, 'backups'))
  const temporary = await readdir(join(dataDir, 'tmp'))
  for (const name of [...files.filter((one) => one.includes('.part')), ...temporary])
    wrongs.push(`${how}: ${name} stays`)
}

async function verifyAlive({ wrongs }: Scene, server: RunningServer, how: string): Promise<void> {
  const reply = await call(`${server.url}/readyz`).catch((error: unknown) => error as Error)
  if (reply instanceof Error) wrongs.push(`${how}: the server ended: ${reply.message}`)
  else if (reply.status !== 200) wrongs.push(`${how}: readyz got ${reply.status}`)
}

/** From the page, or by the schedule, which waits for 50 s after the last backup: none is listed any more. */
async function backUp(scene: Scene, server: RunningServer, how: 'page' | 'schedule'): Promise<void> {
  const token = await logIn(server.url, admin)
  await verifyEnd(scene, how, async () => {
    const filling = fillWhenWriting(scene)
    await deleteBackups(server, token)
    if (how === 'page') await startBackup(server.url, token)
    await filling
    return failureOfNewest(server, token)
  })
  await verifyAlive(scene, server, how)
}

async function backUpByCommand(scene: Scene): Promise<void> {
  const { disk, dataDir, wrongs } = scene
  const archive = join(disk.folder, 'archive.tar')
  await verifyEnd(scene, 'command', async () => {
    await rm(archive, { force: true })
    const filling = fillWhenWriting(scene, disk.folder)
    const { code, printed } = await runCommand(dataDir, 'backup', archive)
    await filling
    return code === 0 ? undefined : printed
  })
  if ((await readdir(disk.folder)).some((name) => name.startsWith('archive'))) wrongs.push('command: a file stays')
  // Without room it does not begin.
  await disk.fillBut(20 * 1024 ** 2)
  const refused = await runCommand(dataDir, 'backup', archive)
  if (!/Not enough disk space in .*: the backup needs about/.test(refused.printed))
    wrongs.push(`command without room: ${refused.printed}`)
  await disk.release()
}

/** Restores into another folder of the disk: first without room for it, then on a disk that fills meanwhile. */
async function restore({ disk, dataDir, wrongs }: Scene): Promise<void> {
  const elsewhere = join(disk.folder, 'elsewhere')
  const archive = join('/dev/shm', `image-host-${process.pid}.tar`)
  const { code, printed } = await runCommand(dataDir, 'backup', archive)
  if (code !== 0) throw new Error(`No archive: ${printed}`)
  try {
    await disk.fillBut(60 * 1024 ** 2)
    const refused = await runCommand(elsewhere, 'restore', archive)
    if (!refused.printed.includes(`Not enough disk space in ${elsewhere}: the restore needs about`))
      wrongs.push(`restore without room: ${refused.printed}`)
    await disk.release()
    const missing = await runCommand(elsewhere, 'restore', `${archive}.missing`)
    if (!missing.printed.includes(`There is no file ${archive}.missing`)) wrongs.push(`restore: ${missing.printed}`)
    let ended: Pick<Ended, 'code' | 'printed'> = { code: 0, printed: '' }
    for (let tries = 0; tries < 10 && ended.code === 0; tries++) {
      await rm(elsewhere, { recursive: true, force: true })
      const restoring = runCommand(elsewhere, 'restore', archive)
      while ((await readdir(join(elsewhere, 'tmp')).catch(() => [])).length === 0) await sleep(2)
      await disk.fillBut(0)
      ended = await restoring
      await disk.release()
    }
    if (ended.code !== 1 || !ended.printed.includes(`The disk of ${elsewhere} became full. Nothing was restored`))
      wrongs.push(`restore on a disk that fills: ${ended.printed}`)
  } finally {
    await rm(archive, { force: true })
    await rm(elsewhere, { recursive: true, force: true })
  }
}

/** Not a byte is free, and the server stopped cleanly before: SQLite has to create its files again. */
async function startOnFullDisk({ disk, dataDir }: Scene, stored: Ledger, defer: Defer): Promise<string[]> {
  // Of a process that was killed during a backup.
  const left = join(dataDir, 'backups', 'left.tar.part')
  await writeFile(left, Buffer.alloc(1024 ** 2))
  await disk.fillBut(0)
  const wrongs: string[] = []
  const withLeftover = await openServer(defer, { dataDir, env: withoutSchedule })
  const { bavail, bsize } = await statfs(dataDir)
  if (bavail * bsize < 1024 ** 2 / 2) wrongs.push('the leftover was not removed')
  await withLeftover.stop()
  await disk.fillBut(0)
  const first = await openServer(defer, { dataDir: join(disk.folder, 'new') }).then(() => 'started', String)
  if (!first.includes('is on a full disk (ENOSPC): ')) wrongs.push(`a first start: ${first}`)
  const server = await openServer(defer, { dataDir, env: withoutSchedule })
  wrongs.push(...(await stored.violations(server.url)))
  const refused = await upload(server.url, await jpeg(300, 200, 4))
  if (refused.status !== 507) wrongs.push(`an upload got ${refused.status}`)
  if (!server.log().includes(dataDir) || !server.log().includes('neededBytes')) wrongs.push(`log: ${server.log()}`)
  await disk.release()
  const taken = await upload(server.url, await jpeg(300, 200, 5))
  if (taken.status !== 201) wrongs.push(`with room again, an upload got ${taken.status}`)
  // Other processes can use the database again.
  const { code, printed } = await runCommand(dataDir, 'check')
  if (code !== 0) wrongs.push(`with room again, a command ended with ${code}: ${printed}`)
  if ((await server.stop()) !== 0) wrongs.push('the server did not stop cleanly')
  return wrongs
}

/** Waits for the end of the newest backup. @returns its reason; undefined: it was completed */
async function failureOfNewest(server: RunningServer, token: string): Promise<string | undefined> {
  for (; ; await sleep(20)) {
    const [newest] = await listBackups(server.url, token)
    if (newest?.status !== 'running') return newest?.error
  }
}

async function deleteBackups(server: RunningServer, token: string): Promise<void> {
  for (const { id } of await listBackups(server.url, token)) {
    await call(`${server.url}/api/database/backups/${id}`, { method: 'DELETE', token })
  }
}
