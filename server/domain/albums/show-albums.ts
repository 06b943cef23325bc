// Converts rows of albums to the API's form: a list of a thousand takes as many queries as one.
import type { Album } from '../../../contract/endpoints/albums.ts'
import type { Image } from '../../../contract/endpoints/images.ts'
import { type ImageRow, toImage } from '../images/image-row.ts'
import { memberViewKeyOf } from '../images/sharing/view-keys.ts'
import type { UserCaller } from '../shared/caller.ts'
import type { Deps, ResponseOrigins } from '../shared/deps.ts'
import type { OpenAlbum } from './album-access.ts'
import { albumsPerQuery, contentsOf } from './album-contents.ts'

interface Shown {
  caller: UserCaller
  origins: ResponseOrigins
}

/** In the same order. */
export async function showAlbums(
  deps: Deps,
  albums: readonly OpenAlbum[],
  { caller, origins }: Shown,
): Promise<Album[]> {
  const contents = await contentsOf(deps, albums)
  const covers = await imagesById(
    deps,
    [...contents.values()].flatMap(({ coverId }) => coverId ?? []),
  )
  const names = await namesOf(deps, caller, albums)
  return albums.map((album) => {
    const { images = 0, coverId = null } = contents.get(album.id) ?? {}
    const cover = coverId === null ? undefined : covers.get(coverId)
    return {
      id: album.id,
      title: album.title,
      description: album.description,
      parent_id: album.parent_id,
      query: album.query,
      upload_visibility: album.upload_visibility,
      images,
      cover: cover ? toAlbumImage(deps, cover, album, { caller, origins }) : null,
      cover_id: album.cover_id,
      role: album.role,
      owner: names.get(album.owner_id ?? '') ?? '',
      created_at: new Date(album.created_at).toISOString(),
    }
  })
}

/** The private images of others are viewed by a key that ends with the membership, or with their place in the album. */
export function toAlbumImage(
  deps: Deps,
  row: ImageRow,
  { id, memberId }: Pick<OpenAlbum, 'id' | 'memberId'>,
  { caller, origins }: Shown,
): Image {
  const isOwn = row.owner_id === caller.account.id
  const image = { ...toImage(deps, row, origins), is_own: isOwn }
  if (isOwn || image.view_key === null) return image
  return { ...image, view_key: memberViewKeyOf(deps, row, memberId ?? id) }
}

async function imagesById({ db }: Deps, ids: readonly string[]): Promise<Map<string, ImageRow>> {
  const images = new Map<string, ImageRow>()
  for (let n = 0; n < ids.length; n += albumsPerQuery) {
    const rows = await db
      .selectFrom('images')
      .selectAll()
      .where('id', 'in', ids.slice(n, n + albumsPerQuery))
      .execute()
    for (const row of rows) images.set(row.id, row)
  }
  return images
}

/** The names of the albums' owners by their ids. */
async function namesOf(
  { db }: Deps,
  { account }: UserCaller,
  albums: readonly OpenAlbum[],
): Promise<Map<string, string>> {
  const others = [...new Set(albums.flatMap((album) => album.owner_id ?? []))].filter((id) => id !== account.id)
  const names = new Map([[account.id, account.name]])
  if (others.length === 0) return names
  const rows = await db.selectFrom('users').select(['id', 'name']).where('id', 'in', others).execute()
  for (const { id, name } of rows) names.set(id, name)
  return names
}
