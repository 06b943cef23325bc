// Lsky Pro 2: MySQL, MariaDB, PostgreSQL or SQLite, and files in storage/app/uploads. Written against
// its migrations up to 2022_01_20_201231.
import { readPages, timeOf } from '../db/other-host-database.ts'
import { imagesOfAlbum, isSet, loadMap, textOf, textOrNull } from './read-rows.ts'
import { original, type Source, thumbnail, type DatabaseLocation } from './source-types.ts'
import { copyFrom } from './copy-source-file.ts'

/** Its time zone is fixed (config/app.php). */
const chinaTime = (value: unknown) => timeOf(`${textOf(value)}+08:00`)

export async function openLsky({ db, files }: DatabaseLocation): Promise<Source> {
  return {
    async *users() {
      for await (const rows of readPages(db, 'users', 'id'))
        for (const row of rows)
          yield {
            id: textOf(row['id']),
            email: textOrNull(row['email']),
            name: textOf(row['name']),
            isAdmin: isSet(row['is_adminer']),
            isActive: isSet(row['status']),
            createdAt: chinaTime(row['created_at']),
            passwordHash: textOrNull(row['password']),
          }
    },
    async *images() {
      const strategies = await loadMap(db, 'strategies', 'id')
      for await (const rows of readPages(db, 'images', 'id'))
        for (const row of rows) {
          const pathName = [row['path'], row['name']].map(textOf).filter(Boolean).join('/')
          const base = basePathOf(strategies.get(textOf(row['strategy_id']))?.['configs'])
          const extension = textOf(row['extension'])
          yield {
            id: textOf(row['id']),
            ownerId: textOrNull(row['user_id']),
            name: textOrNull(row['alias_name']) ?? textOrNull(row['origin_name']) ?? textOf(row['name']),
            createdAt: chinaTime(row['created_at']),
            expiresAt: null,
            visibility: 'public',
            password: undefined,
            tags: [],
            paths: [
              original(`${base}/${pathName}`),
              original(`/${textOf(row['key'])}.${extension}`),
              thumbnail(`/thumbnails/${textOf(row['md5'])}.${extension === 'svg' ? 'svg' : 'png'}`),
            ],
            ...(isSet(row['is_unhealthy']) && { problem: 'it is marked as unhealthy there' }),
            save: (path, maxBytes) => copyFrom(files, pathName, path, maxBytes),
          }
        }
    },
    async *albums() {
      for await (const rows of readPages(db, 'albums', 'id'))
        for (const row of rows)
          yield {
            id: textOf(row['id']),
            ownerId: textOrNull(row['user_id']),
            title: textOf(row['name']),
            description: textOf(row['intro']),
            createdAt: chinaTime(row['created_at']),
            imageIds: () =>
              imagesOfAlbum(db, { table: 'images', id: 'id', album: ['album_id', row['id']], order: 'id' }),
          }
    },
    close: () => db.destroy(),
  }
}

/** The path of the URL of a storage strategy. Databases return JSON as text or parsed. */
function basePathOf(configs: unknown): string {
  const { url } = (typeof configs === 'string' ? JSON.parse(configs) : (configs ?? {})) as { url?: string }
  return URL.canParse(url ?? '') ? new URL(url ?? '').pathname.replace(/\/$/, '') : '/i'
}
