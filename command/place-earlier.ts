// Images that an earlier run has uploaded get the album and the tags of this one: nothing is uploaded a second time for them.
import type { ImageHost } from '../client/index.ts'
import { limits } from '../contract/plain/limits.ts'
import type { Journal } from './upload-journal.ts'

interface Given {
  server: ImageHost
  journal: Journal
  /** The id of an album. */
  albumId: string | undefined
  tags: readonly string[]
}

/**
 * The server is asked only about images that do not have the album or the tags from here: a key that may only upload is
 * refused to tag. @throws {RequestFailed}
 */
export async function placeEarlier(
  { server, journal, albumId, tags }: Given,
  earlierIds: readonly string[],
): Promise<void> {
  const ids = [...new Set(earlierIds)]
  if (albumId !== undefined) {
    const place = { albumIds: [albumId] }
    const others = ids.filter((id) => !journal.hasPlace(id, place))
    for (const some of batchesOf(others, limits.albums.maxImages)) {
      await server.addToAlbum({ params: { id: albumId }, body: { ids: some } })
      for (const id of some) await journal.addPlace(id, place)
    }
  }
  const others = tags.length === 0 ? [] : ids.filter((id) => !journal.hasPlace(id, { tags }))
  for (const some of batchesOf(others, limits.tags.maxImages)) {
    await server.tagImages({ body: { ids: some, add: [...tags] } })
    for (const id of some) await journal.addPlace(id, { tags })
  }
}

function* batchesOf(ids: readonly string[], size: number): Generator<string[]> {
  for (let at = 0; at < ids.length; at += size) yield ids.slice(at, at + size)
}
