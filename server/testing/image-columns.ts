// What a user gets of every column of `images`: in the archive of their data, and in an exported folder; and what admins see
// in the database view.
import type { ImagesTable } from '../db/schema.ts'

type Field = string | { missing: string }

/** The field of each list, or why it has none. */
interface Shown {
  ownData: Field
  exported: Field
  databaseView: Field
}

const internal = { missing: 'follows from the bytes, or serves the server only' }
const ofOwner = { missing: 'the list is of one owner' }
const ofModeration = { missing: 'what an admin does for the site' }
const everywhere = (field: string): Shown => ({ ownData: field, exported: field, databaseView: field })
/** @param databaseView what admins see */
const nothing = (why: { missing: string }, databaseView: Field = why): Shown => ({
  ownData: why,
  exported: why,
  databaseView,
})

/** A new column does not compile without a decision here. */
export const imageColumns: Record<keyof ImagesTable, Shown> = {
  id: { ...everywhere('id'), databaseView: '_id' },
  file_name: { ownData: 'file', exported: 'path', databaseView: 'file_name' },
  original_name: { ...everywhere('name'), databaseView: 'original_name' },
  owner_id: nothing(ofOwner, 'owner_id'),
  guest_token_hash: nothing({ missing: 'secret' }),
  format: { ownData: 'type', exported: 'mime', databaseView: 'format' },
  width: everywhere('width'),
  height: everywhere('height'),
  frames: nothing(internal, 'frames'),
  has_alpha: nothing(internal, 'has_alpha'),
  bytes: everywhere('size'),
  sha256: everywhere('sha256'),
  placeholder: nothing(internal, 'placeholder'),
  created_at: { ...everywhere('created_at'), databaseView: 'createdAt' },
  expires_at: everywhere('expires_at'),
  expires_after_view_days: nothing({ missing: 'a setting of the server decides about it' }),
  undo_until: {
    ownData: 'restorable_until',
    exported: { missing: 'deleted images are not exported' },
    databaseView: 'restorable_until',
  },
  undo_expires_at: nothing(internal),
  quarantined_at: { ownData: ofModeration, exported: 'quarantined', databaseView: 'quarantined_at' },
  address_hash: nothing(internal, 'address_hash'),
  former_owner_id: nothing(internal),
  phash: nothing(internal),
  phash_quality: nothing(internal),
  resembles: nothing(ofModeration),
  blur: nothing(internal),
  title: everywhere('title'),
  alt: everywhere('alt'),
  slug: { ownData: 'slug', exported: { missing: 'a custom link belongs to one server' }, databaseView: 'slug' },
  views_left: everywhere('views_left'),
  views: everywhere('views'),
  visibility: everywhere('visibility'),
  view_key_version: nothing(internal),
  tags: everywhere('tags'),
}

export const fieldsOf = (list: keyof Shown): string[] =>
  Object.values(imageColumns).flatMap((shown) => (typeof shown[list] === 'string' ? [shown[list]] : []))
