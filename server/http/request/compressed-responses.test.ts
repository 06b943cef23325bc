// Which responses are compressed. `fetch` decodes them and keeps their headers.
import { afterEach, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { jpeg } from '../../testing/test-images.ts'

let app: TestApp
afterEach(() => app.stop())

it('lists and share pages are compressed where the client accepts it, short responses and images never', async () => {
  app = await startTestApp()
  const { token } = await app.newUser()
  for (let n = 0; n < 4; n++) await app.upload(await jpeg(), { token })
  const { id, file_name: name } = (await app.upload(await jpeg(), { token })).body
  const get = async (path: string, accepted: string) => {
    const headers = { authorization: `Bearer ${token}`, 'accept-encoding': accepted, accept: '*/*' }
    const response = await app.request(path, { headers })
    const size = (await response.arrayBuffer()).byteLength
    return { size, encoding: response.headers.get('content-encoding'), vary: response.headers.get('vary') ?? '' }
  }
  for (const path of ['/api/images', `/i/${id}`]) {
    const packed = await get(path, 'gzip, deflate, br')
    const plain = await get(path, 'identity')
    expect([path, packed.encoding, plain.encoding]).toEqual([path, 'br', null])
    expect(packed.size).toBe(plain.size)
    expect([packed.vary, plain.vary]).toEqual([expect.stringMatching(/Accept-Encoding/), packed.vary])
  }
  for (const path of ['/api/me', `/uploads/${name}`]) expect((await get(path, 'gzip')).encoding).toBeNull()
})
