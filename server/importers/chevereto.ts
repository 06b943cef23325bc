// Chevereto 4: MySQL or MariaDB, and files in its folder images. Written against the schemas of 4.2.0.
import { createHash } from 'node:crypto'
import { type OtherHostDatabase, type OtherHostRow, readPages, timeOf } from '../db/other-host-database.ts'
import { CommandRefused } from '../domain/backups/command-refused.ts'
import { imagesOfAlbum, isSet, loadFor, loadMap, tableNames, textOf, textOrNull } from './read-rows.ts'
import { medium, original, type Source, type SourceImage, thumbnail, type DatabaseLocation } from './source-types.ts'
import { copyFrom } from './copy-source-file.ts'

/** The value of the column image_type for pictures; others are videos, audio and documents. */
const imageType = 1

export async function openChevereto({ db, files }: DatabaseLocation): Promise<Source> {
  const tables = await tableNames(db)
  const prefix = [...tables].find((name) => name.endsWith('storages'))?.replace(/storages$/, '')
  if (prefix === undefined) throw new CommandRefused('The database has no table storages of Chevereto')
  const valueOf = async (table: string, column: string, name: string) =>
    textOf((await loadMap(db, prefix + table, `${column}_name`)).get(name)?.[`${column}_value`])
  return {
    async *users() {
      for await (const rows of readPages(db, `${prefix}users`, 'user_id'))
        for (const row of rows)
          yield {
            id: textOf(row['user_id']),
            email: textOrNull(row['user_email']),
            name: textOrNull(row['user_name']) ?? textOf(row['user_username']),
            isAdmin: isSet(row['user_is_admin']),
            isActive: row['user_status'] === 'valid',
            createdAt: timeOf(row['user_date_gmt']),
            passwordHash: null,
          }
    },
    async *images() {
      const encodeId = createIdEncoder(
        await valueOf('variables', 'variable', 'crypt_salt'),
        Number(await valueOf('variables', 'variable', 'id_padding')),
      )
      const folder = (await valueOf('settings', 'setting', 'upload_image_path')) || 'images'
      const isRoot = (await valueOf('settings', 'setting', 'root_route')) === 'image'
      const route = isRoot ? '' : `/${(await valueOf('settings', 'setting', 'route_image')) || 'image'}`
      const albums = await loadMap(db, `${prefix}albums`, 'album_id')
      const categories = await loadMap(db, `${prefix}categories`, 'category_id')
      const storages = await loadMap(db, `${prefix}storages`, 'storage_id')
      const readTags = tables.has(`${prefix}tags_files`)
        ? createTagReader(db, prefix)
        : async () => new Map<string, string[]>()
      for await (const rows of readPages(db, `${prefix}images`, 'image_id')) {
        const tags = await readTags(rows.map((row) => row['image_id']))
        for (const row of rows) {
          const album = albums.get(textOf(row['image_album_id']))
          const category = categories.get(textOf(row['image_category_id']))
          const storage = storages.get(textOf(row['image_storage_id']))
          const base = storage ? pathOfUrl(textOf(storage['storage_url'])) : `/${folder}/`
          const id = textOf(row['image_id'])
          const [code, title] = [encodeId(Number(id)), titleInUrl(textOf(row['image_title']))]
          const pages = [`${route}/${code}`, ...(title === '' ? [] : [`${route}/${title}.${code}`])]
          const named = [nameOfGuestAlbum(album), textOf(category?.['category_name']), ...(tags.get(id) ?? [])]
          yield imageOf(files, row, { album, base, pages, tags: named })
        }
      }
    },
    async *albums() {
      for await (const rows of readPages(db, `${prefix}albums`, 'album_id'))
        for (const row of rows)
          yield {
            id: textOf(row['album_id']),
            ownerId: textOrNull(row['album_user_id']),
            title: textOf(row['album_name']),
            description: textOf(row['album_description']),
            parentId: textOrNull(row['album_parent_id']),
            coverId: textOrNull(row['album_cover_id']),
            createdAt: timeOf(row['album_date_gmt']),
            imageIds: () =>
              imagesOfAlbum(db, {
                table: `${prefix}images`,
                id: 'image_id',
                album: ['image_album_id', row['album_id']],
                order: 'image_date_gmt',
              }),
          }
    },
    async *links() {
      for await (const rows of readPages(db, `${prefix}albums`, 'album_id'))
        for (const row of rows.filter(({ album_privacy: privacy }) => opened.has(textOf(privacy))))
          yield {
            id: `album:${textOf(row['album_id'])}`,
            albumId: textOf(row['album_id']),
            passwordHash: textOrNull(row['album_password']),
            createdAt: timeOf(row['album_date_gmt']),
          }
    },
    close: () => db.destroy(),
  }
}

/** Others than the owner can open these albums. */
const opened = new Set(['public', 'password', 'private_but_link'])

/** An album of nobody is a tag here. */
const nameOfGuestAlbum = (album: OtherHostRow | undefined) =>
  textOrNull(album?.['album_user_id']) === null ? textOf(album?.['album_name']) : ''

interface Placed {
  album: OtherHostRow | undefined
  /** The path that its files are served under, with a slash at both ends. */
  base: string
  /** The paths of its page. */
  pages: string[]
  tags: string[]
}

function imageOf(
  files: DatabaseLocation['files'],
  row: OtherHostRow,
  { album, base, pages, tags }: Placed,
): SourceImage {
  const [name, extension] = [textOf(row['image_name']), textOf(row['image_extension'])]
  const inFolder = folderOf(row) + name
  return {
    id: textOf(row['image_id']),
    ownerId: textOrNull(row['image_user_id']),
    name: textOrNull(row['image_original_filename']) ?? `${name}.${extension}`,
    title: textOf(row['image_title']),
    description: textOf(row['image_description']),
    createdAt: timeOf(row['image_date_gmt']),
    expiresAt: timeOf(row['image_expiration_date_gmt']),
    tags,
    paths: [
      original(`${base}${inFolder}.${extension}`),
      medium(`${base}${inFolder}.md.${extension}`),
      thumbnail(`${base}${inFolder}.th.${extension}`),
      // The page of a picture is as private as its album; its files are open to everyone.
      ...(isPublic(album) ? pages.map(original) : []),
    ],
    visibility: 'public',
    password: textOf(album?.['album_password']) === '' ? undefined : 'its album',
    ...(Number(row['image_type'] ?? imageType) !== imageType && { problem: 'it is no picture' }),
    ...(!isSet(row['image_is_approved']) && { problem: 'it awaits approval there' }),
    save: (path, maxBytes) => copyFrom(files, `${inFolder}.${extension}`, path, maxBytes),
  }
}

const isPublic = (album: OtherHostRow | undefined) =>
  album === undefined || (album['album_privacy'] === 'public' && textOf(album['album_password']) === '')

/** Where the file is in the folder of images, with a slash at the end unless it is ''. */
function folderOf(row: Record<string, unknown>): string {
  switch (row['image_storage_mode']) {
    case 'datefolder':
      return `${textOf(row['image_date']).slice(0, 10).replaceAll('-', '/')}/`
    case 'old':
      return 'old/'
    case 'path':
      return `${textOf(row['image_path']).replace(/^\/|\/$/g, '')}/`
    default:
      return ''
  }
}

const pathOfUrl = (url: string) => (URL.canParse(url) ? new URL(url).pathname.replace(/\/?$/, '/') : '/')

/** The title as it is written in the URL of a picture's page, decoded. */
const titleInUrl = (title: string) =>
  title
    .replace(/[\\/~&!'"?]+/g, '')
    .replace(/[\s-]+/g, ' ')
    .trim()
    .replaceAll(' ', '-')
    .replace(/<[^>]*>/g, '')

/**
 * Ids in URLs are numbers in base 62, whose digits are ordered by a hash of a salt: the same as
 * https://kvz.io/blog/2009/06/10/create-short-ids-with-php-like-youtube-or-tinyurl/.
 */
export function createIdEncoder(salt: string, padding: number): (id: number) => string {
  const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('')
  const order = createHash('sha256').update(salt).digest('hex')
  const keyOf = (digit: string) => order[alphabet.indexOf(digit)] ?? ''
  const digits = alphabet.toSorted((a, b) => compare(keyOf(b), keyOf(a)) || compare(a, b))
  return (id) => {
    let rest = padding > 0 ? id * padding : id
    let code = ''
    for (; rest > 0; rest = Math.floor(rest / digits.length)) code = (digits[rest % digits.length] ?? '') + code
    return code
  }
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** Tags are a table since 4.2. */
function createTagReader(db: OtherHostDatabase, prefix: string): (ids: unknown[]) => Promise<Map<string, string[]>> {
  const loading = loadMap(db, `${prefix}tags`, 'tag_id')
  return async (ids) => {
    const links = await loadFor(db, { table: `${prefix}tags_files`, column: 'tag_file_file_id', values: ids })
    const names = await loading
    const nameOf = (link: Record<string, unknown>) => textOf(names.get(textOf(link['tag_file_tag_id']))?.['tag_name'])
    return new Map([...links].map(([id, rows]) => [id, rows.map(nameOf)]))
  }
}
