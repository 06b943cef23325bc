// Images that an earlier run has uploaded get the album and the tags of this one: nothing is uploaded a second time for them.
import { limits } from '../contract/plain/limits.ts'
import { toError, type Uploader } from './upload-one-file.ts'
import type { Outcome } from './upload-report.ts'

/** @returns why images of earlier runs did not get the album or the tags */
export async function placeEarlierUploads(
  { settings: { tags }, albumId, login, server, journal, stopping, progress }: Uploader,
  outcomes: readonly Outcome[],
): Promise<unknown> {
  const ids = outcomes.flatMap((outcome) => (outcome.status === 'already uploaded' ? [outcome.image.id] : []))
  // Images of guests have neither.
  if (stopping.signal.aborted || login.apiKey === undefined) return undefined
  try {
    await placeImages({ server, journal, albumId, tags }, ids)
    return undefined
  } catch (error) {
    const { message } = toError(error)
    const asked = [albumId !== undefined && 'added to the album', tags.length > 0 && 'tagged'].filter(Boolean)
    progress.write(() =>
      process.stderr.write(`Some images that were uploaded before could not be ${asked.join(' or ')}: ${message}\n`),
    )
    return error
  }
}

/**
 * The server is asked only about images that do not have the album or the tags from here: a key that may only upload is
 * refused to tag. @throws {RequestFailed}
 */
async function placeImages(
  { server, journal, albumId, tags }: Pick<Uploader, 'server' | 'journal' | 'albumId'> & { tags: readonly string[] },
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
