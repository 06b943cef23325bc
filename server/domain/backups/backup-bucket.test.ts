import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { fill, pack, unpack } from '../../testing/archives.ts'
import { contentsOf } from '../../testing/instances.ts'
import { type S3Server, startS3Server } from '../../testing/s3-server.ts'
import { jpeg } from '../../testing/test-images.ts'
import { loadAddressKey } from '../shared/address-privacy.ts'
import { backupsIn, requireBackupBucket, withBackupFrom } from './backup-bucket.ts'
import { takeBackup } from './backup-run.ts'
import { scheduledBackup } from './scheduled-backups.ts'
import { restoreBackup } from './restore-backup.ts'
import { backedUpTables } from './table-list.ts'

const credentials = { accessKeyId: 'key-of-the-backups', secretAccessKey: 'secret-of-the-backups' }
let s3: S3Server
let source: TestApp
const others: TestApp[] = []
const settings = (more: Record<string, string> = {}) => ({
  BACKUP_S3_BUCKET: 'backups',
  BACKUP_S3_ENDPOINT: s3.endpoint,
  BACKUP_S3_ACCESS_KEY_ID: credentials.accessKeyId,
  BACKUP_S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  BACKUP_KEEP: '2',
  ...more,
})
const fresh = async (more?: Record<string, string>) => {
  const instance = await startTestApp(settings(more))
  others.push(instance)
  return instance
}
beforeEach(async () => {
  s3 = await startS3Server({ ...credentials, bucket: 'backups' })
  source = await fresh()
  await fill(source)
})
afterEach(async () => {
  for (const instance of others.splice(0)) await instance.stop()
  await s3.stop()
})

const toBucket = (instance = source) => takeBackup(instance.deps, { by: 'cli', place: 's3' })
const keys = (folder: string) => [...s3.objects.keys()].filter((key) => key.startsWith(`backup/${folder}`)).sort()
const restoreFrom = async (target: TestApp, name?: string, isPartial = false) => {
  const bucket = await requireBackupBucket(target.deps)
  return withBackupFrom(bucket, name, (path) => restoreBackup(target.deps, path, { from: bucket.originals, isPartial }))
}
const rowOf = (instance: TestApp, id: string) =>
  instance.deps.db.selectFrom('backups').selectAll().where('id', '=', id).executeTakeFirst()
const puts = () => s3.requests.filter((request) => request.startsWith('PUT '))

describe('a backup in the bucket', () => {
  it('restores into an empty instance, which then equals its source', async () => {
    const { id, path, uploaded } = await toBucket()
    const { originals } = await contentsOf(source.deps, ['images'])
    expect(keys('originals/')).toEqual(
      Object.keys(originals)
        .map((key) => `backup/originals/${key}`)
        .sort(),
    )
    expect(uploaded?.originals).toBe(Object.keys(originals).length)
    const name = path.replace('s3:', '')
    expect(keys('rows/')).toEqual([`backup/rows/${name}.originals`, `backup/rows/${name}.tar`])
    expect(await rowOf(source, id)).toMatchObject({ status: 'completed', place: 's3', error: null })
    // Nothing stays on the disk.
    expect([await source.files('backups'), await source.files('tmp')]).toEqual([[], []])

    const target = await fresh()
    await restoreFrom(target)
    expect(await contentsOf(target.deps, backedUpTables)).toEqual(await contentsOf(source.deps, backedUpTables))
    expect(await target.files('tmp')).toEqual([])
    // The restored instance continues the backups of the lost one.
    const addressKey = await loadAddressKey(target.deps.db, target.deps.randomBytes)
    await takeBackup({ ...target.deps, addressKey }, { by: 'cli', place: 's3' })
    expect(await backupsIn(await requireBackupBucket(target.deps))).toHaveLength(2)
  })

  it('uploads only the originals that an earlier one did not', async () => {
    await toBucket()
    const image = await source.guestImage(await jpeg(77, 33))
    s3.requests.splice(0)
    const { path, uploaded } = await toBucket()
    const name = path.replace('s3:', '')
    expect(uploaded?.originals).toBe(1)
    expect(puts().map((request) => request.replace('PUT /backups/backup/', ''))).toEqual([
      `originals/${image.id}`,
      `rows/${name}.originals`,
      `rows/${name}.tar`,
    ])
  })

  it('stays until newer ones replace it, and an original until no backup needs it', async () => {
    const image = await source.guestImage(await jpeg(78, 33))
    const original = `backup/originals/${image.id}`
    const first = await toBucket()
    await source.call('DELETE', `/api/images/${image.id}`, { guestToken: image.delete_token })
    source.moveClock(1000)
    const second = await toBucket()
    expect(keys('originals/')).toContain(original)
    const target = await fresh()
    await restoreFrom(target, first.path.replace('s3:', ''))
    expect((await contentsOf(target.deps, ['images'])).originals).toHaveProperty(image.id)

    source.moveClock(1000)
    const third = await toBucket()
    expect(keys('originals/')).not.toContain(original)
    const { originals } = await contentsOf(source.deps, ['images'])
    expect(keys('originals/')).toHaveLength(Object.keys(originals).length)
    const names = [second, third].map(({ path }) => path.replace('s3:', ''))
    expect(keys('rows/')).toEqual(names.flatMap((name) => [`backup/rows/${name}.originals`, `backup/rows/${name}.tar`]))
    expect(await rowOf(source, first.id)).toBeUndefined()
    expect(await rowOf(source, second.id)).toMatchObject({ status: 'completed' })
    await expect(restoreFrom(await fresh(), 'wrong')).rejects.toThrow(`has no backup wrong. It has:\n${names[1]}`)
  })

  it('deletes no original while the list of a retained backup cannot be read, and says so', async () => {
    const image = await source.guestImage(await jpeg(79, 33))
    const { path } = await toBucket()
    await source.call('DELETE', `/api/images/${image.id}`, { guestToken: image.delete_token })
    s3.objects.delete(`backup/rows/${path.replace('s3:', '')}.originals`)
    source.moveClock(1000)
    const { id } = await toBucket()
    expect(await rowOf(source, id)).toMatchObject({
      status: 'completed',
      error: expect.stringMatching(/^Older backups/),
    })
    expect(keys('originals/')).toContain(`backup/originals/${image.id}`)
  })

  it('contains the rows alone when asked to', async () => {
    await takeBackup(source.deps, { by: 'cli', place: 's3', isRowsOnly: true })
    expect([keys('originals/'), keys('rows/').length]).toEqual([[], 2])
  })

  it('keeps the originals of earlier backups when later ones have the rows alone', async () => {
    const image = await source.guestImage(await jpeg(81, 35))
    await toBucket()
    for (let n = 0; n < source.deps.config.BACKUP_KEEP + 1; n++) {
      source.moveClock(1000)
      await takeBackup(source.deps, { by: 'cli', place: 's3', isRowsOnly: true })
    }
    expect(keys('originals/')).toContain(`backup/originals/${image.id}`)
  })

  it('is refused in a bucket with the backups of another instance', async () => {
    await toBucket()
    const other = await fresh()
    const before = [...s3.objects.keys()]
    await expect(toBucket(other)).rejects.toThrow('backups has backups of another instance')
    expect([...s3.objects.keys()]).toEqual(before)
  })
})

describe('when the bucket fails', () => {
  it('the backup fails with its reason, the one before stays, and the next one continues', async () => {
    await toBucket()
    const [kept] = await backupsIn(await requireBackupBucket(source.deps))
    for (let n = 0; n < 3; n++) await source.guestImage(await jpeg(90 + n, 33))
    const put = s3.objects.set.bind(s3.objects)
    s3.objects.set = (key, object) => {
      s3.failAlways('slow-down')
      return put(key, object)
    }
    await expect(toBucket()).rejects.toThrow('The bucket backups did not take ')
    const [failed] = await source.deps.db.selectFrom('backups').selectAll().where('status', '=', 'failed').execute()
    expect(failed?.error).toContain('The bucket backups did not take ')
    expect([await source.files('backups'), await source.files('tmp')]).toEqual([[], []])

    s3.failAlways(undefined)
    s3.objects.set = put
    expect(await backupsIn(await requireBackupBucket(source.deps))).toEqual([kept])
    source.moveClock(1000)
    expect((await toBucket()).uploaded?.originals).toBeLessThan(3)
    const target = await fresh()
    await restoreFrom(target)
    const { originals } = await contentsOf(source.deps, ['images'])
    expect((await contentsOf(target.deps, ['images'])).originals).toEqual(originals)
  })

  it('a stop of the server ends an upload that does not end', async () => {
    const stop = new AbortController()
    const put = s3.objects.set.bind(s3.objects)
    s3.objects.set = (key, object) => {
      s3.failAlways('black-hole')
      return put(key, object)
    }
    const backup = takeBackup(source.deps, { by: 'server', place: 's3', signal: stop.signal })
    const refusal = backup.then(
      () => undefined,
      (error: unknown) => error,
    )
    await expect.poll(() => puts().length).toBeGreaterThan(1)
    stop.abort(new Error('the server stops'))
    expect(await refusal).toMatchObject({ message: expect.stringContaining('the server stops') })
    expect([await source.files('backups'), await source.files('tmp')]).toEqual([[], []])
  })

  it('wrong credentials fail the backup and name the setting; the server starts and serves', async () => {
    const wrong = await fresh({ BACKUP_S3_SECRET_ACCESS_KEY: 'wrong' })
    const text = 'BACKUP_S3_SECRET_ACCESS_KEY: it does not belong to BACKUP_S3_ACCESS_KEY_ID'
    await expect(toBucket(wrong)).rejects.toThrow(text)
    expect(await wrong.deps.db.selectFrom('backups').select(['status', 'error']).execute()).toEqual([
      { status: 'failed', error: text },
    ])
    expect((await wrong.request('/healthz')).status).toBe(200)
  })

  it('a restore refuses originals that are missing there or damaged, and leaves nothing', async () => {
    await toBucket()
    const [missing = '', damaged = ''] = keys('originals/')
    s3.objects.delete(missing)
    const found = s3.objects.get(damaged)
    if (found) s3.objects.set(damaged, { ...found, bytes: Buffer.from(found.bytes).fill(0, 10, 20) })
    const target = await fresh()
    const named = [missing, damaged].map((key) => key.replace('backup/originals/', ''))
    const refusal: Error = await restoreFrom(target).then(
      () => expect.fail('restored'),
      (error) => error,
    )
    for (const text of [`${named[0]} (missing)`, `${named[1]} (damaged)`]) expect(refusal.message).toContain(text)
    expect(await target.files('originals')).toEqual([])
    const { left_out: leftOut } = await restoreFrom(target, undefined, true)
    expect(leftOut.map(({ id }) => id).sort()).toEqual(named.sort())
  })
})

it('an archive cannot choose where the bytes of an original are written', async () => {
  const { path } = await toBucket()
  const folder = await mkdtemp(join(tmpdir(), 'image-host-forged-'))
  const archive = s3.objects.get(`backup/rows/${path.replace('s3:', '')}.tar`)
  const [id = ''] = Object.keys((await contentsOf(source.deps, ['images'])).originals)
  const outside = '../outside'
  const forged: { name: string; bytes: Buffer }[] = []
  const hashes = new Map<string, string>()
  for (const { name, bytes } of await unpack(archive?.bytes ?? Buffer.alloc(0))) {
    let text = bytes.toString().replaceAll(id, outside)
    if (name === 'manifest.json') {
      text = text.replace(/"name":"([^"]+)","size":\d+,"sha256":"\w+"/g, (_, entry: string) => hashes.get(entry) ?? '')
    }
    const changed = Buffer.from(text)
    const sha256 = createHash('sha256').update(changed).digest('hex')
    hashes.set(name, `"name":"${name}","size":${changed.length},"sha256":"${sha256}"`)
    forged.push({ name, bytes: changed })
  }
  await pack(join(folder, 'forged.tar'), forged)
  const target = await fresh()
  const { originals: from } = await requireBackupBucket(target.deps)
  const restoring = restoreBackup(target.deps, join(folder, 'forged.tar'), { from, isPartial: true })
  await expect(restoring).rejects.toThrow('unexpected entry "originals/../outside"')
  expect(s3.requests.filter((request) => request.includes('outside'))).toEqual([])
  await rm(folder, { recursive: true })
})

describe('the schedule', () => {
  it('uploads to the bucket, with the rows alone when BACKUP_ROWS_ONLY is on', async () => {
    const { backupId } = await scheduledBackup(source.deps)
    expect(await rowOf(source, backupId ?? '')).toMatchObject({ status: 'completed', place: 's3', taken_by: 'server' })
    expect(keys('originals/').length).toBeGreaterThan(0)
    s3.objects.clear()
    const lean = await fresh({ BACKUP_ROWS_ONLY: 'on' })
    await fill(lean)
    await scheduledBackup(lean.deps)
    expect([keys('originals/'), keys('rows/').length]).toEqual([[], 2])
  })

  it('leaves the backups on the disk alone, and admins see both but delete only those', async () => {
    const onDisk = await takeBackup(source.deps, { by: 'server' })
    source.moveClock(60_000)
    const { backupId } = await scheduledBackup(source.deps)
    const admin = await source.newUser()
    await source.deps.db.updateTable('users').set({ role: 'admin' }).where('id', '=', admin.id).execute()
    const { body } = await source.call('GET', '/api/database/backups', { token: admin.token })
    const listed = body.backups.map(({ id, place }: { id: string; place: string }) => [id, place])
    expect(listed).toEqual([
      [backupId, 's3'],
      [onDisk.id, 'disk'],
    ])
    const refused = await source.call('DELETE', `/api/database/backups/${backupId}`, { token: admin.token })
    expect([refused.status, refused.body.code]).toEqual([404, 'backup_file_missing'])
    expect(keys('rows/')).toHaveLength(2)
  })
})

it('an archive of rows that is larger than any image is uploaded as a stream', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'image-host-large-'))
  const large = Buffer.alloc(130 * 1024 * 1024, 'rows')
  await writeFile(join(folder, 'rows'), large)
  const { rows } = await requireBackupBucket(source.deps)
  await rows.put('large', join(folder, 'rows'))
  await using file = await rows.openLocalFile('large')
  expect((await stat(file.path)).size).toBe(large.length)
  const same = s3.objects.get('backup/rows/large.tar')?.bytes.equals(large)
  expect([same, await readdir(folder)]).toEqual([true, []])
  await rm(folder, { recursive: true })
})
