import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import yauzl from 'yauzl'
import { expect, it } from 'vitest'
import { BlobMissing, type BlobStore } from '../../blobs/blob-store.ts'
import { createArchive, partOf } from './link-archive.ts'

const bytesOf = (id: string, bytes: number) => Buffer.alloc(bytes, id)
const row = (id: string, name: string, bytes = 1000, folder: string[] = []) => ({
  id,
  original_name: name,
  format: 'jpeg' as const,
  bytes,
  created_at: Date.UTC(2026, 5, 1),
  folder,
})
type Row = ReturnType<typeof row>

/** The part of a store that archives use. @param opened the streams that were read from */
function storeOf(rows: Row[], opened: Readable[] = []) {
  const read: BlobStore['read'] = async (id) => {
    const found = rows.find((one) => one.id === id)
    if (!found) throw new BlobMissing(id)
    if (found.bytes < 100_000) return bytesOf(id, found.bytes)
    const stream = Readable.from(piecesOf(found), { objectMode: false })
    opened.push(stream)
    return stream
  }
  return { blobs: { read } as BlobStore }
}

function* piecesOf({ id, bytes }: Row): Generator<Buffer> {
  for (let left = bytes; left > 0; left -= 65_536) yield bytesOf(id, Math.min(left, 65_536))
}

async function unpack(zip: Buffer): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>()
  const open = promisify<Buffer, yauzl.Options, yauzl.ZipFile>(yauzl.fromBuffer)
  const archive = await open(zip, { lazyEntries: true, strictFileNames: true })
  const openEntry = promisify<yauzl.Entry, Readable>(archive.openReadStream.bind(archive))
  await new Promise<void>((resolve, reject) => {
    archive.on('entry', (entry: yauzl.Entry) => {
      openEntry(entry)
        .then(async (stream) => files.set(entry.fileName, await buffer(stream)))
        .then(() => archive.readEntry(), reject)
    })
    archive.once('end', resolve)
    archive.once('error', reject)
    archive.readEntry()
  })
  return files
}

it('is exactly as large as it says, and other programs find every image in it', async () => {
  const rows = [row('a', 'sea.jpg'), row('b', 'Küste ☘ 海.jpg', 3_000_000), row('c', 'sea.jpg', 70, ['Genoa'])]
  const archive = createArchive(storeOf(rows), rows)
  const zip = await buffer(Readable.from(archive.chunks()))
  expect(zip.length).toBe(archive.size)
  const files = await unpack(zip)
  expect([...files.keys()]).toEqual(['sea.jpg', 'Küste ☘ 海.jpg', 'Genoa/sea.jpg'])
  for (const [at, bytes] of [...files.values()].entries())
    expect(bytes.equals(bytesOf(rows[at]?.id ?? '', rows[at]?.bytes ?? 0))).toBe(true)
  const folder = await mkdtemp(join(tmpdir(), 'image-host-zip-'))
  await writeFile(join(folder, 'images.zip'), zip)
  const { stdout } = await promisify(execFile)('unzip', ['-t', join(folder, 'images.zip')])
  await rm(folder, { recursive: true })
  expect(stdout).toContain('No errors detected')
})

it.each([850, 1000, 1300, 2500])('is as large as it says with %i images, which other programs find', async (count) => {
  const rows = Array.from({ length: count }, (_, at) => row(`i${at}`, `screenshot ${at}.jpg`, 10))
  const archive = createArchive(storeOf(rows), rows)
  const zip = await buffer(Readable.from(archive.chunks()))
  expect(zip.length).toBe(archive.size)
  expect((await unpack(zip)).size).toBe(count)
})

it('without images is an empty archive', async () => {
  const { size, chunks } = createArchive(storeOf([]), [])
  expect((await buffer(Readable.from(chunks()))).length).toBe(size)
})

it.each([
  ['a path', '../../etc/passwd.jpg', '_.._etc_passwd.jpg'],
  ['a path of Windows', 'C:\\Windows\\x.jpg', 'C__Windows_x.jpg'],
  ['a device of Windows', 'CON.jpg', 'image CON.jpg'],
  ['nothing but its extension', '.jpg', 'image.jpg'],
  ['another extension', 'sea.exe', 'sea.exe.jpg'],
  ['characters that hide others', 'a\u202Egpj.exe\u0000.jpg', 'agpj.exe.jpg'],
  ['a long name', `${'x'.repeat(300)}.jpg`, `${'x'.repeat(120)}.jpg`],
])('names an image safely that is called as %s', async (_, sent, name) => {
  const rows = [row('a', sent)]
  const files = await unpack(await buffer(Readable.from(createArchive(storeOf(rows), rows).chunks())))
  expect([...files.keys()]).toEqual([name])
})

it('names each image once, whatever the case', async () => {
  const rows = ['sea.jpg', 'SEA.JPG', 'sea (2).jpg', 'sea.jpg'].map((name, at) => row(`i${at}`, name))
  const files = await unpack(await buffer(Readable.from(createArchive(storeOf(rows), rows).chunks())))
  expect([...files.keys()]).toEqual(['sea.jpg', 'SEA (2).jpg', 'sea (2) (2).jpg', 'sea (3).jpg'])
})

it('breaks off when an image is gone meanwhile, or is not as large as its row says', async () => {
  const rows = [row('a', 'a.jpg'), row('b', 'b.jpg')]
  const gone = createArchive(storeOf(rows.slice(0, 1)), rows)
  await expect(text(Readable.from(gone.chunks()))).rejects.toThrow(BlobMissing)
  const cut = createArchive(storeOf([row('a', 'a.jpg', 999)]), [row('a', 'a.jpg', 1000)])
  await expect(text(Readable.from(cut.chunks()))).rejects.toThrow('unexpected number of bytes')
})

it('reads one image after another, no faster than the client, and closes what it reads when the client leaves', async () => {
  const rows = Array.from({ length: 20 }, (_, at) => row(`i${at}`, `${at}.jpg`, 2_000_000))
  const opened: Readable[] = []
  let received = 0
  for await (const chunk of createArchive(storeOf(rows, opened), rows).chunks()) {
    received += chunk.length
    expect(opened.length).toBeLessThanOrEqual(received / 2_000_000 + 2)
    if (received > 5_000_000) break
  }
  expect(opened.every(({ destroyed }) => destroyed)).toBe(true)
})

it('has the same bytes each time, whose parts make the whole, and another ETag when an image changes', async () => {
  const rows = [row('a', 'a.jpg'), row('b', 'b.jpg', 300_000)]
  const archive = createArchive(storeOf(rows), rows)
  const part = (start: number, end: number) => buffer(Readable.from(partOf(archive.chunks(), { start, end })))
  const whole = await part(0, archive.size - 1)
  const halves = Buffer.concat([await part(0, 99_999), await part(100_000, archive.size - 1)])
  expect(halves.equals(whole)).toBe(true)
  expect(createArchive(storeOf(rows), rows).etag).toBe(archive.etag)
  for (const changed of [rows.toReversed(), rows.slice(1), [row('a', 'c.jpg'), ...rows.slice(1)]])
    expect(createArchive(storeOf(rows), changed).etag).not.toBe(archive.etag)
})
