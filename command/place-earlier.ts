// Images that an earlier run has uploaded get the album and the tags of this one: nothing is uploaded a second time for them.
import type { ImageHost } from '../client/index.ts'
import { limits } from '../contract/plain/limits.ts'

interface Place {
  /** The id of an album. */
  albumId: string | undefined
  tags: readonly string[]
}

/** Those that are in the album, or have the tags, are left as they are. @throws {RequestFailed} */
export async function placeEarlier(server: ImageHost, ids: readonly string[], { albumId, tags }: Place): Promise<void> {
  if (albumId !== undefined)
    for (const some of batchesOf(ids, limits.albums.maxImages))
      await server.addToAlbum({ params: { id: albumId }, body: { ids: some } })
  if (tags.length > 0)
    for (const some of batchesOf(ids, limits.tags.maxImages))
      await server.tagImages({ body: { ids: some, add: [...tags] } })
}

function* batchesOf(ids: readonly string[], size: number): Generator<string[]> {
  for (let at = 0; at < ids.length; at += size) yield ids.slice(at, at + size)
}
