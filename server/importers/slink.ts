// Slink 1: SQLite, and files in slink/images. Written against its migrations up to
// Version20260725154530.
import { type OtherHostRow, readPages, timeOf } from '../db/other-host-database.ts'
import { imagesOfAlbum, isSet, loadFor, loadMap, tableNames, textOf, textOrNull } from './read-rows.ts'
import { convertedPaths, original, type Source, type DatabaseLocation } from './source-types.ts'
import { copyFrom } from './copy-source-file.ts'

export async function openSlink({ db, files }: DatabaseLocation): Promise<Source> {
  const tables = await tableNames(db)
  const loadLinks = async (table: string, column: string, values: unknown[]): Promise<Map<string, OtherHostRow[]>> =>
    tables.has(table) ? loadFor(db, { table, column, values }) : new Map()
  return {
    async *users() {
      for await (const rows of readPages(db, 'user', 'uuid')) {
        const roles = await loadLinks(
          'user_to_role',
          'user_id',
          rows.map(({ uuid }) => uuid),
        )
        for (const row of rows)
          yield {
            id: textOf(row['uuid']),
            email: textOrNull(row['email']),
            name: textOf(row['display_name'] ?? row['username']),
            isAdmin: (roles.get(textOf(row['uuid'])) ?? []).some(({ role }) => role === 'ROLE_ADMIN'),
            isActive: row['status'] === 'active',
            createdAt: timeOf(row['created_at']),
            passwordHash: textOrNull(row['password']),
          }
      }
    },
    async *images() {
      const tags = tables.has('tag') ? await loadMap(db, 'tag', 'uuid') : new Map()
      for await (const rows of readPages(db, 'image', 'uuid')) {
        const ids = rows.map(({ uuid }) => uuid)
        const tagLinks = await loadLinks('image_to_tag', 'image_id', ids)
        // Shares name their image since 2026 as one of several kinds.
        const shares = await loadLinks('share', tables.has('collection') ? 'shareable_id' : 'image_id', ids)
        const shortUrls = await loadLinks(
          'short_url',
          'share_id',
          [...shares.values()].flat().map(({ uuid }) => uuid),
        )
        for (const row of rows) {
          const id = textOf(row['uuid'])
          const fileName = textOf(row['file_name'])
          const links = shares.get(id) ?? []
          const open = links.filter(isOpen)
          const codes = open.flatMap((share) => shortUrls.get(textOf(share['uuid'])) ?? [])
          yield {
            id,
            ownerId: textOrNull(row['user_id']),
            name: textOf(row['description']).trim() || fileName,
            description: textOf(row['description']),
            createdAt: timeOf(row['created_at']),
            expiresAt: null,
            tags: (tagLinks.get(id) ?? []).map(({ tag_id }) => textOf(tags.get(textOf(tag_id))?.['name'])),
            paths: [
              original(`/image/${fileName}`),
              ...convertedPaths(`/image/${id}`).filter(({ path }) => path !== `/image/${fileName}`),
              ...codes.map(({ short_code }) => original(`/i/${textOf(short_code)}`)),
            ],
            visibility: 'public',
            password: links.some((link) => link['password_hash']) ? 'a link to it' : undefined,
            save: (path, maxBytes) => copyFrom(files, fileName, path, maxBytes),
          }
        }
      }
    },
    async *albums() {
      if (!tables.has('collection')) return
      for await (const rows of readPages(db, 'collection', 'uuid'))
        for (const row of rows)
          yield {
            id: textOf(row['uuid']),
            ownerId: textOrNull(row['user_id']),
            title: textOf(row['name']),
            description: textOf(row['description']),
            createdAt: timeOf(row['created_at']),
            imageIds: () =>
              imagesOfAlbum(db, {
                table: 'collection_item',
                id: 'item_id',
                album: ['collection_id', row['uuid']],
                order: 'position',
              }),
          }
    },
    async *links() {
      if (!tables.has('share')) return
      for await (const rows of readPages(db, 'share', 'uuid'))
        for (const row of rows.filter(isPublished)) {
          const target = textOf(row['shareable_id'] ?? row['image_id'])
          yield {
            id: textOf(row['uuid']),
            ...(row['shareable_type'] === 'collection' ? { albumId: target } : { imageIds: [target] }),
            passwordHash: textOrNull(row['password_hash']),
            endsAt: timeOf(row['expires_at']),
            createdAt: timeOf(row['created_at']),
          }
        }
    },
    close: () => db.destroy(),
  }
}

const isPublished = ({ is_published: value }: OtherHostRow) => value === undefined || isSet(value)

/** A link that is not published, has ended or has a password must not lead to the image. */
function isOpen(share: OtherHostRow): boolean {
  const expiresAt = timeOf(share['expires_at'])
  return isPublished(share) && !share['password_hash'] && (expiresAt === null || expiresAt > Date.now())
}
