// A valid image that is not the uploaded one is detected.
import { expect, test } from 'vitest'
import { startServer } from '../e2e/server.ts'
import { imageIn, register } from './client.ts'
import { Ledger } from './ledger.ts'
import { jpeg } from './fault-images.ts'

test('a served original that differs from the upload is detected', { timeout: 30_000 }, async () => {
  // The same size, so that only the pixels differ.
  const [one, other] = await Promise.all([jpeg(160, 120, 1), jpeg(160, 120, 2)])
  const server = await startServer()
  try {
    const token = await register(server.url, 'sender@example.com')
    const ledger = new Ledger()
    for (const image of [one, other]) await ledger.learn(server.url, image, { token })
    const reply = await ledger.upload(server.url, one)
    expect(await ledger.violations(server.url)).toEqual([])
    ledger.add(imageIn(reply), other)
    expect(await ledger.violations(server.url)).toEqual([expect.stringContaining('another picture')])
  } finally {
    await server.stop()
  }
})
