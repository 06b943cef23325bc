// What an importer yields: the accounts and pictures of another host.
import { formatNames, formats } from '../../contract/plain/formats.ts'
import type { Visibility } from '../../contract/plain/visibility.ts'
import type { OtherHostDatabase } from '../db/other-host-database.ts'
import type { LinksTable } from '../db/schema.ts'
import type { LegacyPath } from './import-image.ts'

export interface Source {
  users(): AsyncIterable<SourceUser>
  images(): AsyncIterable<SourceImage>
  /** Read after the images. */
  albums?(): AsyncIterable<SourceAlbum>
  /** Read after the albums. */
  links?(): AsyncIterable<SourceLink>
  close(): Promise<void>
}

export interface DatabaseLocation {
  db: OtherHostDatabase
  /** The folder of the files that the database names. */
  files: string
}

export interface SourceUser {
  id: string
  /** null where accounts have names only. */
  email: string | null
  name: string
  isAdmin: boolean
  isActive: boolean
  /** UTC milliseconds. */
  createdAt: number | null
  /** As stored there, in any format. */
  passwordHash: string | null
}

export interface SourceImage {
  /** Unique in the source, and the same in each run. */
  id: string
  /** Of a {@link SourceUser}; null for a guest's. */
  ownerId: string | null
  name: string
  /** The file of which it is read, for people who look for it; default: name and id say enough. */
  place?: string
  title?: string
  /** What it shows: the alternative text here. */
  description?: string
  /** UTC milliseconds. Read after {@link save}. */
  createdAt: number | null
  /** UTC milliseconds; null: never, or unknown. */
  expiresAt: number | null
  /** It is deleted after that many views; undefined: no limit. */
  viewsLeft?: number | undefined
  /** How often it was viewed there; undefined: unknown. */
  views?: number | undefined
  /** Of an image with an owner; whatever was open to nobody there must be private here. */
  visibility: Visibility
  /** Names of tags, and of what sorts images there and has no album here. */
  tags: string[]
  paths: LegacyPath[]
  /** Why it is not imported. */
  problem?: string
  /** What had a password there, which it does not have here; undefined: nothing. */
  password: 'it' | 'its album' | 'a link to it' | undefined
  /**
   * Writes the bytes into a new file. @throws {SourceProblem}
   * @param maxBytes larger files are refused, before they are copied where possible
   */
  save: (path: string, maxBytes: number) => Promise<void>
}

export interface SourceAlbum {
  /** Unique among the source's albums, and the same in each run. */
  id: string
  /** Of a {@link SourceUser}; null for nobody's. */
  ownerId: string | null
  title: string
  description?: string
  /** The album that it is in. */
  parentId?: string | null
  /** Of a {@link SourceImage}. */
  coverId?: string | null
  /** Of a live album; default: null. It is valid. */
  query?: string | null
  uploadVisibility?: Visibility | null
  /** UTC milliseconds. */
  createdAt: number | null
  /** Of its images, in their order. */
  imageIds: () => Promise<string[]>
}

/** What somebody shared: an album or images. */
export type SourceLink = {
  /** Unique among the source's links, and the same in each run. */
  id: string
  /** As stored there, in any format; empty: it has no password. */
  passwordHash?: string | null
  /** It has a password that is not known. */
  isGuarded?: boolean
  /** UTC milliseconds; null: from its creation on. */
  startsAt?: number | null
  /** UTC milliseconds; null: it does not end. */
  endsAt?: number | null
  /** UTC milliseconds; null: it is not revoked. */
  revokedAt?: number | null
  /** Default: true. */
  canDownload?: boolean
  /** Of the address, if no other link has it here. */
  slug?: string | undefined
  /** What only this product has. */
  settings?: Pick<LinksTable, 'name' | 'note' | 'shows_private' | 'views_left' | 'max_size' | 'watermark'>
  /** UTC milliseconds. */
  createdAt: number | null
} & ({ albumId: string; imageIds?: undefined } | { albumId?: undefined; imageIds: string[] })

/** A picture cannot be read. The import goes on without it. */
export class SourceProblem extends Error {
  override name = 'SourceProblem'
}

export const original = (path: string): LegacyPath => ({ path, size: 'original' })
/** Paths under which a host serves a picture in other formats than its own. */
export const convertedPaths = (stem: string): LegacyPath[] =>
  ['jpg', 'jpeg', 'png', 'webp', 'avif', 'gif', 'tiff', 'bmp', 'qoi'].map((extension) => ({
    path: `${stem}.${extension}`,
    size: 'converted',
  }))
export const medium = (path: string): LegacyPath => ({ path, size: 'medium' })
export const thumbnail = (path: string): LegacyPath => ({ path, size: 'thumbnail' })

/** Names of the formats that can be imported, in URLs and file names. */
const extensions = [...formatNames.flatMap((name) => formats[name].extensions), 'jfif']
export const imageExtension = new RegExp(`\\.(${extensions.join('|')})$`, 'i')
