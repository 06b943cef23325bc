// Zipline 4: PostgreSQL, and files in its folder of uploads. Written against prisma/schema.prisma of
// version 4.
import { readPages, timeOf } from '../db/other-host-database.ts'
import { imagesOfAlbum, isSet, loadFor, loadMap, textOf, textOrNull } from './read-rows.ts'
import { original, type Source, type DatabaseLocation } from './source-types.ts'
import { copyFrom } from './copy-source-file.ts'

export async function openZipline({ db, files }: DatabaseLocation): Promise<Source> {
  return {
    async *users() {
      for await (const rows of readPages(db, 'User', 'id'))
        for (const row of rows)
          yield {
            id: textOf(row['id']),
            email: null,
            name: textOf(row['username']),
            isAdmin: row['role'] !== 'USER',
            isActive: true,
            createdAt: timeOf(row['createdAt']),
            passwordHash: textOrNull(row['password']),
          }
    },
    async *images() {
      const [settings] = (await loadMap(db, 'Zipline', 'id')).values()
      const route = textOf(settings?.['filesRoute'] ?? '/u').replace(/\/$/, '')
      const tags = await loadMap(db, 'Tag', 'id')
      for await (const rows of readPages(db, 'File', 'id')) {
        // Prisma's table of a relation between many and many: A is the file, B the tag.
        const links = await loadFor(db, { table: '_FileToTag', column: 'A', values: rows.map(({ id }) => id) })
        for (const row of rows) {
          const name = textOf(row['name'])
          const names = isSet(settings?.['filesExtensionlessUrls']) ? [name, name.replace(/\.\w+$/, '')] : [name]
          const maxViews = row['maxViews']
          yield {
            id: textOf(row['id']),
            ownerId: textOrNull(row['userId']),
            name: textOrNull(row['originalName']) ?? name,
            createdAt: timeOf(row['createdAt']),
            expiresAt: timeOf(row['deletesAt']),
            viewsLeft: typeof maxViews === 'number' ? maxViews - Number(row['views']) : undefined,
            views: Number(row['views']),
            tags: (links.get(textOf(row['id'])) ?? []).map(({ B }) => textOf(tags.get(textOf(B))?.['name'])),
            // A file with a password must not be open at its old address.
            paths: row['password']
              ? []
              : names.flatMap((one) => [`${route}/${one}`, `/raw/${one}`, `/view/${one}`]).map(original),
            password: row['password'] ? 'it' : undefined,
            visibility: row['password'] ? 'private' : 'public',
            ...(!textOf(row['type']).startsWith('image/') && { problem: `it is of the type ${textOf(row['type'])}` }),
            save: (path, maxBytes) => copyFrom(files, name, path, maxBytes),
          }
        }
      }
    },
    async *albums() {
      for await (const rows of readPages(db, 'Folder', 'id'))
        for (const row of rows)
          yield {
            id: textOf(row['id']),
            ownerId: textOrNull(row['userId']),
            title: textOf(row['name']),
            parentId: textOrNull(row['parentId']),
            createdAt: timeOf(row['createdAt']),
            imageIds: () =>
              imagesOfAlbum(db, { table: 'File', id: 'id', album: ['folderId', row['id']], order: 'createdAt' }),
          }
    },
    async *links() {
      for await (const rows of readPages(db, 'Folder', 'id'))
        for (const row of rows.filter((folder) => isSet(folder['public'])))
          yield {
            id: `folder:${textOf(row['id'])}`,
            albumId: textOf(row['id']),
            createdAt: timeOf(row['createdAt']),
          }
      for await (const rows of readPages(db, 'File', 'id'))
        for (const row of rows.filter((file) => file['password']))
          yield {
            id: `file:${textOf(row['id'])}`,
            imageIds: [textOf(row['id'])],
            passwordHash: textOf(row['password']),
            createdAt: timeOf(row['createdAt']),
          }
    },
    close: () => db.destroy(),
  }
}
