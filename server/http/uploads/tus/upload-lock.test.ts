// When a newer request of an upload takes the place of the one before.
import { expect, test, vi } from 'vitest'
import { createUploadLocker } from './upload-lock.ts'

const { signal } = new AbortController()

test('bytes that still arrive are received, and the newer request asks nobody to stop', async () => {
  const lock = createUploadLocker(() => performance.now()).newLock('a')
  const stop = vi.fn()
  await lock.lock(signal, stop)
  const newer = lock.lock(signal, stop)
  await lock.unlock()
  await newer
  expect(stop).not.toHaveBeenCalled()
})

test('a request that has become silent is asked to stop, and one that never ends too', async () => {
  for (const lastByteAt of [performance.now(), performance.now() + 60_000]) {
    const lock = createUploadLocker(() => lastByteAt).newLock('a')
    await lock.lock(signal, () => lock.unlock())
    await lock.lock(signal, () => {})
  }
})

test('without a byte it is asked at once', async () => {
  const lock = createUploadLocker(() => undefined).newLock('a')
  const stop = vi.fn(() => lock.unlock())
  await lock.lock(signal, stop)
  await lock.lock(signal, () => {})
  expect(stop).toHaveBeenCalledOnce()
})
