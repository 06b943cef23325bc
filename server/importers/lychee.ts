// Lychee 4 to 7: SQLite, MySQL, MariaDB or PostgreSQL, and files in its folder of uploads. Written
// against its migrations up to 2026_08.
import { type OtherHostRow, readPages, timeOf } from '../db/other-host-database.ts'
import type { LegacyPath } from './import-image.ts'
import { isSet, loadFor, loadMap, tableNames, textOf, textOrNull } from './read-rows.ts'
import type { Source, DatabaseLocation } from './source-types.ts'
import { copyFrom } from './copy-source-file.ts'

export async function openLychee({ db, files }: DatabaseLocation): Promise<Source> {
  const tables = await tableNames(db)
  const loadLinks = async (table: string, values: unknown[]): Promise<Map<string, OtherHostRow[]>> =>
    tables.has(table) ? loadFor(db, { table, column: 'photo_id', values }) : new Map()
  return {
    async *users() {
      for await (const rows of readPages(db, 'users', 'id'))
        for (const row of rows)
          yield {
            id: textOf(row['id']),
            email: textOrNull(row['email']),
            name: textOrNull(row['display_name']) ?? textOf(row['username']),
            isAdmin: isSet(row['may_administrate']),
            isActive: true,
            createdAt: timeOf(row['created_at']),
            passwordHash: textOrNull(row['password']),
          }
    },
    async *images() {
      const firstType = (await hasRawVariants(db)) ? 1 : 0
      const albums = await loadMap(db, 'base_albums', 'id')
      const guarded = await albumsWithPassword(db, tables, albums)
      const tags = tables.has('tags') ? await loadMap(db, 'tags', 'id') : new Map()
      for await (const rows of readPages(db, 'photos', 'id')) {
        const ids = rows.map(({ id }) => id)
        const variants = await loadLinks('size_variants', ids)
        const albumLinks = await loadLinks('photo_album', ids)
        const tagLinks = await loadLinks('photos_tags', ids)
        for (const row of rows) {
          const id = textOf(row['id'])
          // Before 2025 a photo had one album, and its tags as text.
          const albumIds = [row['album_id'], ...(albumLinks.get(id) ?? []).map((link) => link['album_id'])]
          const tagNames = (tagLinks.get(id) ?? []).map((link) => tags.get(textOf(link['tag_id']))?.['name'])
          const sizes = variants.get(id) ?? []
          const first = sizes.find(({ type }) => Number(type) === firstType)
          yield {
            id,
            ownerId: textOrNull(row['owner_id']),
            name: textOf(row['title']),
            title: textOf(row['title']),
            description: textOf(row['description']),
            createdAt: timeOf(row['created_at']),
            expiresAt: null,
            tags: [...tagNames.map(textOf), ...textOf(row['tags']).split(',')],
            paths: sizes.map((size) => pathOf(size, Number(size['type']) - firstType)),
            visibility: 'public',
            password: albumIds.some((albumId) => guarded.has(textOf(albumId))) ? 'its album' : undefined,
            ...problemOf(row, first),
            save: (path, maxBytes) => copyFrom(files, textOf(first?.['short_path']), path, maxBytes),
          }
        }
      }
    },
    async *albums() {
      // Albums by tags have no row of their own there.
      const places = await loadMap(db, 'albums', 'id')
      for (const [id, row] of await loadMap(db, 'base_albums', 'id')) {
        const place = places.get(id)
        if (place === undefined) continue
        yield {
          id,
          ownerId: textOrNull(row['owner_id']),
          title: textOf(row['title']),
          description: textOf(row['description']),
          parentId: textOrNull(place['parent_id']),
          coverId: textOrNull(place['cover_id']),
          createdAt: timeOf(row['created_at']),
          imageIds: () => photosOf(db, tables, row),
        }
      }
    },
    async *links() {
      for (const row of await publicPermissions(db, tables))
        yield {
          id: `album:${textOf(row['base_album_id'])}`,
          albumId: textOf(row['base_album_id']),
          passwordHash: textOrNull(row['password']),
          canDownload: isSet(row['grants_download']) && isSet(row['grants_full_photo_access']),
          createdAt: timeOf(row['created_at']),
        }
    },
    close: () => db.destroy(),
  }
}

/** What everybody may do with an album, perhaps with a link or a password; other permissions are of users. */
async function publicPermissions(db: DatabaseLocation['db'], tables: Set<string>): Promise<OtherHostRow[]> {
  if (tables.has('access_permissions')) {
    const rows: OtherHostRow[] = await db.selectFrom('access_permissions').selectAll().execute()
    const isOfNobody = (row: OtherHostRow) => !textOf(row['user_id']) && !textOf(row['user_group_id'])
    return rows.filter((row) => isOfNobody(row) && textOf(row['base_album_id']) !== '')
  }
  const albums: OtherHostRow[] = await db.selectFrom('base_albums').selectAll().where('is_public', '=', 1).execute()
  return albums.map(({ id, is_downloadable: download, grants_full_photo: full, ...row }) => ({
    ...row,
    base_album_id: id,
    grants_download: download,
    grants_full_photo_access: full,
  }))
}

/** In the order that the album has, or by date. */
async function photosOf(db: DatabaseLocation['db'], tables: Set<string>, album: OtherHostRow): Promise<string[]> {
  const photos: OtherHostRow[] = tables.has('photo_album')
    ? await db
        .selectFrom('photos')
        .innerJoin('photo_album', 'photo_album.photo_id', 'photos.id')
        .selectAll('photos')
        .where('photo_album.album_id', '=', album['id'])
        .execute()
    : await db.selectFrom('photos').selectAll().where('album_id', '=', album['id']).execute()
  const column = textOrNull(album['sorting_col']) ?? 'created_at'
  const sorted = photos.toSorted((a, b) => (textOf(a[column] ?? '') < textOf(b[column] ?? '') ? -1 : 1))
  const ids = sorted.map(({ id }) => textOf(id))
  return textOf(album['sorting_order']).toUpperCase() === 'DESC' ? ids.toReversed() : ids
}

/** Passwords are in a table of permissions since 2023, before in that of albums. */
async function albumsWithPassword(
  db: DatabaseLocation['db'],
  tables: Set<string>,
  albums: Map<string, OtherHostRow>,
): Promise<Set<string>> {
  const permissions: OtherHostRow[] = tables.has('access_permissions')
    ? await db.selectFrom('access_permissions').selectAll().execute()
    : []
  const rows = [...albums].map(([id, { password }]) => ({ base_album_id: id, password }))
  const guarded = [...permissions, ...rows].filter(({ password }) => textOf(password) !== '')
  return new Set(guarded.map((row) => textOf(row.base_album_id)))
}

/** @param level 0: the original, 1 and 2: up to 1920 px, more: smaller */
function pathOf(size: OtherHostRow, level: number): LegacyPath {
  const path = `/uploads/${textOf(size['short_path'])}`
  return { path, size: level <= 0 ? 'original' : level <= 2 ? 'medium' : 'thumbnail' }
}

function problemOf(row: OtherHostRow, first: OtherHostRow | undefined): { problem?: string } {
  if (!textOf(row['type']).startsWith('image/')) return { problem: `it is of the type ${textOf(row['type'])}` }
  if (row['is_validated'] !== undefined && !isSet(row['is_validated'])) return { problem: 'it awaits approval there' }
  return first === undefined ? { problem: 'it has no original' } : {}
}

/** Since 7.4 the sizes are counted from 0 for a camera's raw file, before from 0 for the original. */
async function hasRawVariants(db: DatabaseLocation['db']): Promise<boolean> {
  const shift = '2026_02_28_000001_shift_size_variant_type_for_raw'
  const row = await db.selectFrom('migrations').select('id').where('migration', '=', shift).executeTakeFirst()
  return row !== undefined
}
