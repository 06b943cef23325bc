// Albums as Lsky Pro has them: their ids are whole numbers there.
import { createHash } from 'node:crypto'
import type { Album } from '../../../contract/endpoints/albums.ts'
import { limits } from '../../../contract/plain/limits.ts'
import { listAlbumIds, listAlbums } from '../../domain/albums/albums.ts'
import { deleteAlbum } from '../../domain/albums/delete-album.ts'
import type { Caller, UserCaller } from '../../domain/shared/caller.ts'
import type { Deps } from '../../domain/shared/deps.ts'
import type { CallHandler } from './compat-protocol.ts'
import { envelope, lskyPage } from './lsky-envelope.ts'

/**
 * Returns the number that stands for an album: 48 bits of its id's hash, which every client reads exactly. Two of an
 * account's thousand albums share one with a probability of 2 in 10^9.
 */
export const albumNumberOf = (id: string): number => createHash('sha256').update(id).digest().readUIntBE(0, 6)

/**
 * Finds the album that a client names by number or id. Anything else is returned as it was sent, and later refused like every
 * unknown id.
 * @returns undefined where the client names no album: it sent nothing, or 0
 */
export async function findAlbumId(deps: Deps, caller: Caller, sent: unknown): Promise<string | undefined> {
  const text = typeof sent === 'string' || typeof sent === 'number' ? String(sent).trim() : ''
  if (text === '' || text === '0') return undefined
  if (caller.kind === 'guest' || !/^\d{1,15}$/.test(text)) return text
  const ids = await listAlbumIds(deps, caller)
  return ids.find((id) => albumNumberOf(id) === Number(text)) ?? text
}

/** Without one of these orders: as listed, newest first. */
const orders = new Map<unknown, (a: Album, b: Album) => number>([
  ['earliest', (a, b) => Date.parse(a.created_at) - Date.parse(b.created_at)],
  ['most', (a, b) => b.images - a.images],
  ['least', (a, b) => a.images - b.images],
])

export const lskyListAlbums: CallHandler = async ({ deps, caller, address, baseUrl, siteUrl, query }) => {
  const number = Math.max(1, Number(query['page'] ?? 1))
  const { items } = await listAlbums(deps, { caller: caller as UserCaller, address, baseUrl, siteUrl })
  const order = orders.get(query['order'])
  const sorted = order ? items.toSorted(order) : items
  const from = (number - 1) * limits.compat.lskyPage
  const shown = sorted.slice(from, from + limits.compat.lskyPage)
  return envelope(lskyPage(number, sorted.length, shown.map(toLskyAlbum)))
}

export const lskyDeleteAlbum: CallHandler = async ({ deps, caller, address, params }) => {
  const id = (await findAlbumId(deps, caller, params['id'])) ?? ''
  await deleteAlbum(deps, { caller: caller as UserCaller, address, params: { id }, query: {} })
  return envelope({})
}

const toLskyAlbum = ({ id, title, description, images }: Album) => ({
  id: albumNumberOf(id),
  name: title,
  intro: description,
  image_num: images,
})
