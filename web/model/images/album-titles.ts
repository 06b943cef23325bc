// The albums that a search completes.
import type { Album } from '../../../contract/endpoints/albums.ts'
import { client } from '../http.ts'

const suggested = 12
/** A list of all albums is not loaded again for each character that is typed. */
const keptMs = 10_000

let kept: { albums: Promise<readonly Album[]>; until: number } | undefined

/** The albums whose title contains the text, the newest first. */
export async function findAlbums(typed: string): Promise<readonly Album[]> {
  if (!kept || performance.now() > kept.until) {
    const albums = client.listAlbums({}).then(({ items }) => items)
    kept = { albums, until: performance.now() + keptMs }
    // The next one asks again.
    albums.catch(() => (kept = undefined))
  }
  const part = typed.trim().toLowerCase()
  return (await kept.albums).filter(({ title }) => title.toLowerCase().includes(part)).slice(0, suggested)
}

/** The term that finds the images of an album. A title with quotes cannot be written: then it is the id. */
export const albumTerm = ({ id, title }: Pick<Album, 'id' | 'title'>): string => {
  if (title.includes('"')) return `album:${id}`
  return /^none$|\s/i.test(title) ? `album:"${title}"` : `album:${title}`
}
