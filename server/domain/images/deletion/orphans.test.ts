// What the janitor must never take, and what it takes beside originals.
import { mkdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { dayMs } from '../../../../contract/plain/limits.ts'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { jpeg } from '../../../testing/test-images.ts'
import { sweepOrphans } from './sweep.ts'

let app: TestApp
beforeEach(async () => {
  app = await startTestApp()
  // Else the sweep of the start may meet what a test has just left.
  await app.orphansSwept
})
afterEach(() => app.stop())

const orphan = 'ooooooooooooooooooooo1'
async function leaveOrphan() {
  const folder = join(app.dataDir, 'originals', orphan.slice(0, 2))
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, orphan), 'somebody’s picture')
}

/**
 * An original older than this database, as after the old database was lost or replaced because of
 * damage.
 */
async function leaveOlderOriginal() {
  await leaveOrphan()
  const longAgo = new Date(Date.now() - dayMs)
  await utimes(join(app.dataDir, 'originals', orphan.slice(0, 2), orphan), longAgo, longAgo)
}

it('originals older than the database are not deleted but logged, also after the first upload', async () => {
  await leaveOlderOriginal()
  expect(await sweepOrphans(app.deps, Infinity)).toEqual({ blobs: 0, variants: 0 })
  const image = await app.guestImage(await jpeg())
  expect((await sweepOrphans(app.deps, Infinity)).blobs).toBe(0)
  expect((await app.files('originals')).toSorted()).toEqual([image.id, orphan].toSorted())
  const warnings = app.logged.filter(({ msg }) => String(msg).startsWith('Originals without a row are older'))
  expect(warnings).toMatchObject([{ originals: 1 }, { originals: 1 }])
})

it('orphans of an interrupted first upload are deleted while the database has no image', async () => {
  await leaveOrphan()
  expect((await sweepOrphans(app.deps, Infinity)).blobs).toBe(1)
  expect(await app.files('originals')).toEqual([])
})

it('orphaned variants and temporary files are deleted although originals are older than the database', async () => {
  await leaveOlderOriginal()
  const made = join(app.dataDir, 'tmp', 'made-by-hand')
  await writeFile(made, 'a variant')
  await app.deps.variants.put(orphan, 'thumbnail', made)
  const left = join(app.dataDir, 'tmp', 'left')
  await writeFile(left, 'half a picture')
  expect(await sweepOrphans(app.deps, Infinity)).toEqual({ blobs: 0, variants: 1 })
  expect(await app.files('tmp')).toEqual([])
})

it('orphans of deleted images are deleted', async () => {
  const image = await app.guestImage(await jpeg())
  await app.call('DELETE', `/api/images/${image.id}`, { guestToken: image.delete_token })
  await leaveOrphan()
  expect((await sweepOrphans(app.deps, Infinity)).blobs).toBe(1)
})

it('leftover temporary files are deleted after a day', async () => {
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
