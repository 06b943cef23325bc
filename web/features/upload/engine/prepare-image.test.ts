import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keptPhotographs } from '../upload-prefs.ts'
import { prepareImage } from './prepare-image.ts'

const jpeg = new Uint8Array([0xff, 0xd8, 0xff, 0xe0, ...new Uint8Array(100)])
const fileOf = (name: string, bytes: Uint8Array<ArrayBuffer>) => new File([bytes], name, { type: 'image/jpeg' })
const prepare = (file: File) => prepareImage(file, new AbortController().signal)

/** Converts every image to ten bytes. */
class FakeWorker {
  onmessage: (event: { data: object }) => void = () => {}
  postMessage() {
    const blob = new Blob([new Uint8Array(10)], { type: 'image/webp' })
    queueMicrotask(() => this.onmessage({ data: { blob, canCanvas: true } }))
  }
}

beforeEach(() => {
  vi.stubGlobal('Worker', FakeWorker)
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => {}, removeItem: () => {} })
})
afterEach(() => {
  keptPhotographs.change(false)
  vi.unstubAllGlobals()
})

test('a photograph is converted to WebP', async () => {
  const { file, outcome } = await prepare(fileOf('harbour.jpg', jpeg))
  expect([file.name, file.type, file.size, outcome]).toEqual(['harbour.webp', 'image/webp', 10, 'converted'])
})

test('a photograph that is to be kept is sent as it is', async () => {
  keptPhotographs.change(true)
  const original = fileOf('harbour.jpg', jpeg)
  expect(await prepare(original)).toEqual({ file: original, outcome: 'kept' })
})

test('what is never converted is not called kept', async () => {
  keptPhotographs.change(true)
  const original = fileOf('cat.gif', new TextEncoder().encode('GIF89a'))
  expect(await prepare(original)).toEqual({ file: original, outcome: 'unchanged' })
})
