// Unpacks and repacks archives, and fills an instance with data of every kind.
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import tar from 'tar-stream'
import type { TestApp } from './app.ts'
import { jpeg } from './test-images.ts'

/** Fills a running instance with data of every kind. */
export async function fill(instance: TestApp): Promise<{ token: string; email: string }> {
  const user = await instance.newUser()
  const images: string[] = []
  for (let n = 0; n < 6; n++) {
    const { body } = await instance.upload(await jpeg(60 + n, 50), { token: user.token, name: `Größe \u2028 ${n}.jpg` })
    images.push(body.id)
    await instance.guestImage(await jpeg(200 + n, 150))
  }
  const removed = await instance.guestImage(await jpeg(50, 50))
  await instance.call('DELETE', `/api/images/${removed.id}`, { guestToken: removed.delete_token })
  const album = await fillAlbums(instance, user.token, images)
  await instance.call('POST', '/api/api-keys', { token: user.token, body: { name: 'a key', albumId: album } })
  return user
}

/** An album in another, both ordered by hand, one that is live, a member, an invite, and links. @returns the outer album */
async function fillAlbums(instance: TestApp, token: string, images: string[]): Promise<string> {
  const post = async (path: string, body: object, by = token) => {
    const response = await instance.call('POST', path, { token: by, body })
    if (response.status > 201) throw new Error(`${path}: ${JSON.stringify(response.body)}`)
    return response.body
  }
  const [first = '', second = '', third = '', fourth = ''] = images
  const { id: outer } = await post('/api/albums', { title: 'Größe', images: [first, second, third] })
  await instance.call('POST', `/api/albums/${outer}/images/move`, { token, body: { ids: [third], before: first } })
  await instance.call('PATCH', `/api/albums/${outer}`, { token, body: { cover_id: second } })
  const inner = { title: 'Inside', description: 'An album', parent_id: outer, upload_visibility: 'private' }
  const { id: inside } = await post('/api/albums', { ...inner, images: [third, fourth] })
  await post('/api/albums', { title: 'Live', query: 'type:jpeg' })
  const member = await instance.newUser()
  const { link } = await post(`/api/albums/${outer}/members`, { email: member.email, role: 'add' })
  await post('/api/albums/invites', { token: String(link).split('#')[1] }, member.token)
  await post(`/api/albums/${inside}/members`, { email: 'invited@example.com', role: 'view' })
  await post('/api/links', { album_id: outer, password: 'secret-1', shows_private: true, max_views: 9, watermark: '©' })
  await post('/api/links', { images: [fourth, first], name: 'Two of them', can_download: false })
  await instance.call('DELETE', `/api/images/${second}?trash=1`, { token })
  return outer
}

export async function unpack(bytes: Buffer): Promise<{ name: string; bytes: Buffer }[]> {
  const files: { name: string; bytes: Buffer }[] = []
  const extract = tar.extract()
  extract.end(bytes)
  for await (const entry of extract) {
    const chunks: Buffer[] = []
    for await (const chunk of entry) chunks.push(chunk)
    files.push({ name: entry.header.name, bytes: Buffer.concat(chunks) })
  }
  return files
}

export async function pack(path: string, files: { name: string; bytes: Buffer; link?: string }[]): Promise<void> {
  const archive = tar.pack()
  const written = pipeline(archive, createWriteStream(path))
  for (const { name, bytes, link } of files) {
    if (link === undefined) archive.entry({ name }, bytes)
    else archive.entry({ name, type: 'symlink', linkname: link })
  }
  archive.finalize()
  await written
}
