// Creates expired images as the product leaves them: rows, originals, and the variants rendered at upload.
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { imageColumns } from './databases.ts'

/** Per image: the thumbnail, and the intermediate that small variants are rendered from. */
const variants = ['thumbnail.webp', 'intermediate.jpeg']
/** Small, because the time to delete a file hardly depends on its size. */
const bytes = Buffer.alloc(2_000, 'x')
const longAgoMs = Date.UTC(2025, 0, 1)

/** Evenly distributed like random ids, and the same in each run. */
const idOf = (set: number, n: number) => createHash('sha256').update(`${set} ${n}`).digest('base64url').slice(0, 22)

/**
 * Writes the files of `count` images in the layout of a DATA_DIR.
 * @param set number that makes the ids unique
 */
export function createFiles(dataDir: string, set: number, count: number): void {
  for (let n = 0; n < count; n++) {
    const id = idOf(set, n)
    const [originals, made] = ['originals', 'variants'].map((name) => join(dataDir, name, id.slice(0, 2)))
    mkdirSync(originals ?? '', { recursive: true })
    writeFileSync(join(originals ?? '', id), bytes)
    const folder = join(made ?? '', id)
    mkdirSync(folder, { recursive: true })
    for (const variant of variants) writeFileSync(join(folder, variant), bytes)
  }
}

/** Statements for the rows of {@link createFiles}: every second image is a guest's, the others belong to one user. */
export function* rowStatements(set: number, count: number, ownerId: string): Iterable<string> {
  const perStatement = 1_000
  for (let first = 0; first < count; first += perStatement) {
    const rows = Array.from({ length: Math.min(perStatement, count - first) }, (_, n) => {
      const id = idOf(set, first + n)
      const owner = n % 2 === 0 ? 'null' : `'${ownerId}'`
      return `('${id}', '${id}.jpg', 'picture.jpg', ${owner}, 'jpeg', 800, 600, 1, 0, ${bytes.length}, '', '#808080', ${
        longAgoMs - first - n
      }, ${longAgoMs + first + n})`
    })
    yield `insert into images (${imageColumns}) values ${rows.join(', ')}`
  }
  yield `update users set image_count = ${count / 2}, image_bytes = ${(count / 2) * bytes.length} where id = '${ownerId}'`
}
