// The links of a visitor without an account to images that were uploaded together, in local storage under `guest_albums`.
import { useMemo } from 'react'
import { limits } from '../../../contract/plain/limits.ts'
import { ApiError } from '../api-error.ts'
import { followStored, jsonIn, readStored, writeStored } from '../browser-storage.ts'
import { createStore, useStore } from '../store.ts'

export interface StoredAlbum {
  id: string
  token: string
  /** Of its link. */
  url: string
  /** Ids of its images, of which some may be gone. */
  images: readonly string[]
}

interface OwnImage {
  id: string
  delete_token?: string | undefined
}

const key = 'guest_albums'
const stored = createStore<string | null>(readStored(key))
followStored(key, stored.set)

/** Whether these images can have a link of their own. */
export const canHaveLink = (images: readonly OwnImage[]): boolean =>
  images.length > 1 &&
  images.length <= limits.albums.maxGuestImages &&
  images.every(({ delete_token }) => delete_token !== undefined)

/** The album that has all of these images. */
export function useGuestAlbum(images: readonly OwnImage[]): StoredAlbum | undefined {
  const json = useStore(stored)
  return useMemo(() => albumWith(parseAlbums(json), images), [json, images])
}

/**
 * The link to all of the images: the one there is, after the images that it lacks were added, or else a new one.
 * @throws {ApiError} an image is gone, or there are too many requests
 */
export async function guestLinkTo(images: readonly OwnImage[]): Promise<string> {
  const known = read()
  const whole = albumWith(known, images)
  if (whole !== undefined) return whole.url
  const ids = new Set(images.map(({ id }) => id))
  const part = known.find((album) => album.images.every((id) => ids.has(id)))
  return (part && (await extend(part, images))) ?? (await create(images)).url
}

/** The images stay. */
export async function endGuestLink({ id, token }: StoredAlbum): Promise<void> {
  const { client } = await import('../http.ts')
  try {
    await client.deleteGuestAlbum({ params: { id }, body: { token } })
  } catch (error) {
    if (!isGone(error)) throw error
  }
  forgetGuestAlbums([id])
}

/** The albums with any of these images, which an account takes along with them. */
export function albumsToClaim(imageIds: ReadonlySet<string>): Pick<StoredAlbum, 'id' | 'token'>[] {
  return read()
    .filter(({ images }) => images.some((id) => imageIds.has(id)))
    .map(({ id, token }) => ({ id, token }))
}

export function forgetGuestAlbums(ids: readonly string[]): void {
  write(read().filter(({ id }) => !ids.includes(id)))
}

async function create(images: readonly OwnImage[]): Promise<StoredAlbum> {
  const { client } = await import('../http.ts')
  const album = await client.createGuestAlbum({ body: { images: claimsOf(images) } })
  const made = { ...album, images: images.map(({ id }) => id) }
  write([made, ...read()])
  return made
}

/** @returns undefined: it has ended meanwhile */
async function extend(album: StoredAlbum, images: readonly OwnImage[]): Promise<string | undefined> {
  const { client } = await import('../http.ts')
  const { id, token, url } = album
  const added = images.filter((image) => !album.images.includes(image.id))
  try {
    await client.addToGuestAlbum({ params: { id }, body: { token, images: claimsOf(added) } })
  } catch (error) {
    if (!isGone(error)) throw error
    forgetGuestAlbums([id])
    return undefined
  }
  write(
    read().map((one) => (one.id === id ? { ...one, images: [...one.images, ...added.map((each) => each.id)] } : one)),
  )
  return url
}

const isGone = (error: unknown) => error instanceof ApiError && error.code === 'album_not_found'

const claimsOf = (images: readonly OwnImage[]) =>
  images.map(({ id, delete_token }) => ({ id, token: delete_token ?? '' }))

const albumWith = (albums: readonly StoredAlbum[], images: readonly OwnImage[]) =>
  albums.find((album) => images.length > 0 && images.every(({ id }) => album.images.includes(id)))

const read = () => parseAlbums(readStored(key) ?? stored.get())

/** As many as a guest can have images for; the oldest are forgotten. */
const maxStored = 100

function write(albums: readonly StoredAlbum[]): void {
  const json = JSON.stringify(albums.slice(0, maxStored))
  writeStored(key, json)
  stored.set(json)
}

/** Omits what is no album. */
export function parseAlbums(json: string | null): StoredAlbum[] {
  const value = jsonIn(json, key)
  return Array.isArray(value) ? value.filter(isAlbum) : []
}

function isAlbum(value: unknown): value is StoredAlbum {
  if (typeof value !== 'object' || value === null) return false
  const { id, token, url, images } = value as Record<string, unknown>
  // Stored text is not trusted: a link goes nowhere but to a page.
  const isWeb = typeof url === 'string' && /^https?:\/\//.test(url)
  return typeof id === 'string' && typeof token === 'string' && isWeb && Array.isArray(images) && images.every(isText)
}

const isText = (value: unknown): value is string => typeof value === 'string'
