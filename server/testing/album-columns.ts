// What a user gets of every column of `albums` and `links`: from the API, in the archive of their data, in an exported folder.
import type { AlbumsTable, LinksTable } from '../db/schema.ts'

type Field = string | { missing: string }

/** The field in each place, or why it has none. */
interface Places {
  api: Field
  ownData: Field
  exported: Field
}

const everywhere = (field: string): Places => ({ api: field, ownData: field, exported: field })
const nowhere = (missing: string): Places => {
  const none = { missing }
  return { api: none, ownData: none, exported: none }
}

/** A new column does not compile without a decision here. */
export const albumColumns: Record<keyof AlbumsTable, Places> = {
  id: everywhere('id'),
  owner_id: { ...nowhere('the list is of one owner'), api: 'owner' },
  guest_token_hash: nowhere('secret'),
  parent_id: everywhere('parent_id'),
  title: everywhere('title'),
  description: everywhere('description'),
  cover_id: { api: 'cover_id', ownData: 'cover_id', exported: 'cover' },
  query: everywhere('query'),
  upload_visibility: everywhere('upload_visibility'),
  created_at: everywhere('created_at'),
}

/** A new column does not compile without a decision here. */
export const linkColumns: Record<keyof LinksTable, Places> = {
  id: everywhere('id'),
  slug: everywhere('slug'),
  owner_id: nowhere('the list is of one owner'),
  guest_token_hash: nowhere('secret'),
  album_id: everywhere('album_id'),
  name: everywhere('name'),
  note: everywhere('note'),
  shows_private: everywhere('shows_private'),
  password_hash: everywhere('has_password'),
  starts_at: everywhere('starts_at'),
  ends_at: everywhere('ends_at'),
  views_left: everywhere('views_left'),
  can_download: everywhere('can_download'),
  max_size: everywhere('max_size'),
  watermark: everywhere('watermark'),
  version: nowhere('serves the server only'),
  views: everywhere('views'),
  last_viewed_at: everywhere('last_viewed_at'),
  created_at: everywhere('created_at'),
  revoked_at: { ...everywhere('revoked_at'), api: { missing: 'it is in `state`' } },
}

export const fieldsIn = (columns: Record<string, Places>, place: keyof Places): string[] =>
  Object.values(columns).flatMap((places) => {
    const field = places[place]
    return typeof field === 'string' ? [field] : []
  })
