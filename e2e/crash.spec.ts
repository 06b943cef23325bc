// The power goes in the middle of fifty uploads. What was answered with 201 must be there, whole; nothing half-done may show.
import { createHash } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { UploadedImage } from '../contract/images.ts'
import { jpeg } from './pictures.ts'
import { startServer, type RunningServer } from './server.ts'
import { expect, test } from './test.ts'
import { addressesOf, served } from './upload.ts'

const rounds = Number(process.env.CRASH_ROUNDS ?? 1)
const uploads = 50

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

for (let round = 1; round <= rounds; round += 1) {
  test(`kill -9 amid ${uploads} uploads, round ${round} of ${rounds}`, async () => {
    test.setTimeout(180_000)
    const pictures = await Promise.all(Array.from({ length: uploads }, (_, at) => jpeg(640, 480, at * 7)))
    const before = await startServer()
    let after: RunningServer | undefined
    try {
      const calm = await Promise.all(pictures.slice(0, 10).map((picture) => upload(before, picture)))
      const storm = pictures.map((picture) => upload(before, picture).catch(() => undefined))
      // Anywhere between the first answer and the last: each round somewhere else.
      await answersOf(storm, 1 + Math.floor(Math.random() * (uploads - 10)))
      await before.kill()
      const answered = (await Promise.all(storm)).filter((image) => image !== undefined)
      expect(answered.length, 'the power went in the middle').toBeLessThan(uploads)

      after = await startServer({ dataDir: before.dataDir })
      await test.step(`what was answered with 201 is whole: ${calm.length + answered.length} images`, async () => {
        for (const image of [...calm, ...answered].filter((each) => each !== undefined)) {
          const answer = await served(after?.url + new URL(image.url).pathname)
          expect(answer, image.url).toMatchObject({ status: 200, width: 640, height: 480, format: 'jpeg' })
          expect(answer.bytes.length, image.url).toBe(image.size)
        }
      })

      await test.step('the stored bytes are those of an upload in calm', async () => {
        for (const [at, image] of (await Promise.all(storm)).entries()) {
          if (image === undefined) continue
          const again = await upload(after as RunningServer, pictures[at] as Buffer)
          const [stored, fresh] = [image, again].map(({ url }) => served(after?.url + new URL(url).pathname))
          expect(sha256((await stored)?.bytes as Buffer)).toBe(sha256((await fresh)?.bytes as Buffer))
        }
      })

      await test.step('every file left on the disk belongs to an image that answers', async () => {
        const { dataDir, url } = after as RunningServer
        await expect.poll(() => orphansIn(dataDir, url), { timeout: 20_000 }).toEqual([])
        expect(await filesIn(dataDir, 'tmp')).toEqual([])
      })
      expect(await after.stop()).toBe(0)
      after = undefined
    } finally {
      await after?.kill()
      await rm(before.dataDir, { recursive: true, force: true })
    }
  })
}

async function upload({ url }: RunningServer, picture: Buffer): Promise<UploadedImage> {
  const form = new FormData()
  form.append('image', new Blob([new Uint8Array(picture)], { type: 'image/jpeg' }), 'storm.jpg')
  for (;;) {
    const response = await fetch(`${url}/api/upload`, { method: 'POST', body: form })
    if (response.status === 201) return (await response.json()) as UploadedImage
    // A full queue is an honest answer to fifty at once; a client comes again.
    if (response.status !== 503) throw new Error(`${response.status}: ${await response.text()}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** Resolves when this many of them are answered. */
function answersOf(all: Promise<unknown>[], wanted: number): Promise<void> {
  let answered = 0
  return new Promise((resolve) => {
    for (const each of all)
      void each.then(() => {
        answered += 1
        if (answered >= wanted) resolve()
      })
  })
}

/** Originals are named by the id of their image: one whose thumbnail does not answer has no row. */
async function orphansIn(dataDir: string, url: string): Promise<string[]> {
  const ids = await filesIn(dataDir, 'originals')
  const answers = await Promise.all(
    ids.map(async (id) => ({ id, ...(await served(addressesOf(`${url}/uploads/x-${id}.jpg`).thumbnail)) })),
  )
  return answers.filter(({ status }) => status !== 200).map(({ id }) => id)
}

async function filesIn(dataDir: string, folder: string): Promise<string[]> {
  const entries = await readdir(join(dataDir, folder), { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}
