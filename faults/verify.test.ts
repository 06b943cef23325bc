// A valid image that is not the uploaded one is detected.
import { expect, test } from 'vitest'
import { startServer } from '../e2e/server.ts'
import { imageIn, register, upload } from './client.ts'
import { acknowledgedUploadOf } from './ledger.ts'
import { jpeg } from './fault-images.ts'
import { violationsOf, servedAs } from './verify.ts'

test('a served original that differs from the upload is detected', { timeout: 30_000 }, async () => {
  // The same size, so that only the pixels differ.
  const [one, other] = await Promise.all([jpeg(160, 120, 1), jpeg(160, 120, 2)])
  const server = await startServer()
  try {
    const token = await register(server.url, 'sender@example.com')
    const served = await servedAs([one, other], server.url, token)
    const image = imageIn(await upload(server.url, one))
    const flawsAs = (sent: Buffer) =>
      violationsOf([acknowledgedUploadOf(image, sent)], server.url, { variants: false, served })
    expect(await flawsAs(one)).toEqual([])
    expect(await flawsAs(other)).toEqual([expect.stringContaining('another picture')])
  } finally {
    await server.stop()
  }
})
