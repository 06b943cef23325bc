// Unpacks and repacks archives, and fills an instance with data of every kind.
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import tar from 'tar-stream'
import type { TestApp } from './app.ts'
import { jpeg } from './test-images.ts'

/** Fills a running instance with data of every kind. */
export async function fill(instance: TestApp): Promise<{ token: string; email: string }> {
  const user = await instance.newUser()
  for (let n = 0; n < 6; n++) {
    await instance.upload(await jpeg(60 + n, 50), { token: user.token, name: `Größe \u2028 ${n}.jpg` })
    await instance.guestImage(await jpeg(200 + n, 150))
  }
  const removed = await instance.guestImage(await jpeg(50, 50))
  await instance.call('DELETE', `/api/images/${removed.id}`, { guestToken: removed.delete_token })
  await instance.call('POST', '/api/api-keys', { token: user.token, body: { name: 'a key' } })
  return user
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
