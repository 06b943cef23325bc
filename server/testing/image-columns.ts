// What a user gets of every column of `images`: in the archive of their data, and in an exported folder.
import type { ImagesTable } from '../db/schema.ts'

/** The field of each list, or why it has none. */
interface Shown {
  ownData: string | { missing: string }
  exported: string | { missing: string }
}

const internal = { missing: 'follows from the bytes, or serves the server only' }
const ofOwner = { missing: 'the list is of one owner' }
const ofModeration = { missing: 'what an admin does for the site' }
const both = (field: string): Shown => ({ ownData: field, exported: field })
const neither = (why: { missing: string }): Shown => ({ ownData: why, exported: why })

/** A new column does not compile without a decision here. */
export const imageColumns: Record<keyof ImagesTable, Shown> = {
  id: both('id'),
  file_name: { ownData: 'file', exported: 'path' },
  original_name: both('name'),
  owner_id: neither(ofOwner),
  guest_token_hash: neither(ofOwner),
  format: { ownData: 'type', exported: 'mime' },
  width: both('width'),
  height: both('height'),
  frames: neither(internal),
  has_alpha: neither(internal),
  bytes: both('size'),
  sha256: both('sha256'),
  placeholder: neither(internal),
  created_at: both('created_at'),
  expires_at: both('expires_at'),
  expires_after_view_days: neither({ missing: 'a setting of the server decides about it' }),
  undo_until: { ownData: 'restorable_until', exported: { missing: 'deleted images are not exported' } },
  undo_expires_at: neither(internal),
  quarantined_at: { ownData: ofModeration, exported: 'quarantined' },
  address_hash: neither(internal),
  former_owner_id: neither(ofOwner),
  phash: neither(internal),
  phash_quality: neither(internal),
  resembles: neither(ofModeration),
  blur: neither(internal),
  title: both('title'),
  alt: both('alt'),
  slug: { ownData: 'slug', exported: { missing: 'a custom link belongs to one server' } },
  views_left: both('views_left'),
  views: both('views'),
  visibility: both('visibility'),
  view_key_version: neither(internal),
  tags: both('tags'),
}

export const fieldsOf = (list: keyof Shown): string[] =>
  Object.values(imageColumns).flatMap((shown) => (typeof shown[list] === 'string' ? [shown[list]] : []))
