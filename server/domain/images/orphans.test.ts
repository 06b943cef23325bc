// What the janitor must never take, and what it takes beside originals.
import { mkdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { dayMs } from '../../../contract/limits.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { jpeg } from '../../testing/pictures.ts'
import { sweepOrphans } from './sweep.ts'

let app: TestApp
beforeEach(async () => {
  app = await startTestApp()
})
afterEach(() => app.stop())

const orphan = 'ooooooooooooooooooooo1'
async function leaveOrphan() {
  const folder = join(app.dataDir, 'originals', orphan.slice(0, 2))
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, orphan), 'somebody’s picture')
}

it('leaves every original where it is while the database knows no image: it is a new one, the old one was lost', async () => {
  await leaveOrphan()
  expect(await sweepOrphans(app.deps, Infinity)).toEqual({ blobs: 0, variants: 0 })
  expect(await app.files('originals')).toEqual([orphan])
  expect(app.logged.some(({ msg }) => String(msg).startsWith('The database knows no image'))).toBe(true)
})

it('takes orphans once there is an image, also when that one is deleted again', async () => {
  const image = await app.guestImage(await jpeg())
  await app.call('DELETE', `/api/images/${image.id}`, { guestToken: image.delete_token })
  await leaveOrphan()
  expect((await sweepOrphans(app.deps, Infinity)).blobs).toBe(1)
})

it('removes what was left in the temporary folder, after a day', async () => {
  await app.guestImage(await jpeg())
  const folder = join(app.dataDir, 'tmp', 'upload-left')
  await mkdir(folder)
  await writeFile(join(folder, 'source'), 'half a picture')
  await sweepOrphans(app.deps, Date.now())
  expect(await app.files('tmp')).toEqual(['source'])
  const longAgo = new Date(Date.now() - dayMs - 60_000)
  await utimes(folder, longAgo, longAgo)
  await sweepOrphans(app.deps, Date.now())
  expect(await app.files('tmp')).toEqual([])
})
