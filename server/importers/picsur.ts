// Picsur 0.5: PostgreSQL, which also holds the files. Written against its migrations up to V_0_5_0_a.
import { writeFile } from 'node:fs/promises'
import { readPages, timeOf } from '../db/other-host-database.ts'
import { qoiToPng } from './qoi.ts'
import { textOf, textOrNull } from './read-rows.ts'
import { convertedPaths, original, type Source, SourceProblem, type DatabaseLocation } from './source-types.ts'
import { assertFits } from './copy-source-file.ts'

export async function openPicsur({ db }: Pick<DatabaseLocation, 'db'>): Promise<Source> {
  const guest: { id?: unknown } | undefined = await db
    .selectFrom('e_user_backend')
    .select('id')
    .where('username', '=', 'guest')
    .executeTakeFirst()
  const isGuest = (id: unknown) => textOf(id) === textOf(guest?.id)
  return {
    async *users() {
      for await (const rows of readPages(db, 'e_user_backend', 'id'))
        for (const row of rows.filter(({ id }) => !isGuest(id)))
          yield {
            id: textOf(row['id']),
            email: null,
            name: textOf(row['username']),
            isAdmin: Array.isArray(row['roles']) && row['roles'].includes('admin'),
            isActive: true,
            createdAt: null,
            passwordHash: textOrNull(row['hashed_password']),
          }
    },
    async *images() {
      for await (const rows of readPages(db, 'e_image_backend', 'id'))
        for (const row of rows) {
          const id = textOf(row['id'])
          yield {
            id,
            ownerId: isGuest(row['user_id']) ? null : textOrNull(row['user_id']),
            name: textOf(row['file_name']),
            createdAt: timeOf(row['created']),
            expiresAt: timeOf(row['expires_at']),
            visibility: 'public',
            password: undefined,
            tags: [],
            paths: [original(`/i/${id}`), original(`/view/${id}`), ...convertedPaths(`/i/${id}`)],
            async save(path, maxBytes) {
              const bytes = await loadFile(db, id)
              assertFits(bytes.length, maxBytes)
              await writeFile(path, bytes)
            },
          }
        }
    },
    close: () => db.destroy(),
  }
}

/**
 * The file as uploaded where Picsur stores it, else its lossless copy, which is in QOI unless animated.
 * @throws {SourceProblem}
 */
async function loadFile(db: DatabaseLocation['db'], imageId: string): Promise<Buffer> {
  const files: { variant: string; filetype: string; data: Buffer }[] = await db
    .selectFrom('e_image_file_backend')
    .select(['variant', 'filetype', 'data'])
    .where('image_id', '=', imageId)
    .where('variant', 'in', ['original', 'master'])
    .execute()
  const file = files.find(({ variant }) => variant === 'original') ?? files[0]
  if (!file) throw new SourceProblem('its file is missing')
  return file.filetype === 'image:qoi' ? qoiToPng(file.data) : file.data
}
