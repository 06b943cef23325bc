// Who sees which columns of `images`: a user in the API, in events, in the archive of their data and in an exported folder,
// which an import reads back; and admins in the database view.
import type { ImagesTable } from '../db/schema.ts'

type Field = string | { missing: string }

/** The field in each place, or why it has none. */
interface Shown {
  api: Field
  event: Field
  ownData: Field
  exported: Field
  databaseView: Field
}

const internal = { missing: 'follows from the bytes, or serves the server only' }
const ofOwner = { missing: 'the list is of one owner' }
const ofModeration = { missing: 'what an admin does for the site' }
const inApi = { missing: 'a receiver asks the API, which knows what changed meanwhile' }
const everywhere = (field: string): Shown => ({
  api: field,
  event: field,
  ownData: field,
  exported: field,
  databaseView: field,
})
const nowhere = (why: { missing: string }): Shown => ({
  api: why,
  event: why,
  ownData: why,
  exported: why,
  databaseView: why,
})

/** A new column does not compile without a decision here. */
export const imageColumns: Record<keyof ImagesTable, Shown> = {
  id: { ...everywhere('id'), databaseView: '_id' },
  file_name: { ...everywhere('file_name'), ownData: 'file', exported: 'path' },
  original_name: { ...everywhere('original_name'), ownData: 'name', exported: 'name' },
  owner_id: { ...nowhere(ofOwner), databaseView: 'owner_id' },
  guest_token_hash: nowhere({ missing: 'secret' }),
  format: { ...everywhere('mime'), ownData: 'type', databaseView: 'format' },
  width: everywhere('width'),
  height: everywhere('height'),
  frames: { ...nowhere(internal), api: 'frames', databaseView: 'frames' },
  has_alpha: { ...nowhere(internal), databaseView: 'has_alpha' },
  bytes: everywhere('size'),
  sha256: { ...everywhere('sha256'), api: internal, event: internal },
  placeholder: { ...nowhere(internal), api: 'placeholder', databaseView: 'placeholder' },
  created_at: { ...everywhere('created_at'), databaseView: 'createdAt' },
  expires_at: everywhere('expires_at'),
  expires_after_view_days: nowhere({ missing: 'a setting of the server decides about it' }),
  undo_until: {
    ...everywhere('restorable_until'),
    api: { missing: 'the trash lists it apart' },
    event: inApi,
    exported: { missing: 'deleted images are not exported' },
  },
  undo_expires_at: nowhere(internal),
  quarantined_at: {
    ...nowhere(ofModeration),
    exported: 'quarantined',
    databaseView: 'quarantined_at',
  },
  address_hash: { ...nowhere(internal), databaseView: 'address_hash' },
  former_owner_id: nowhere(internal),
  phash: nowhere(internal),
  phash_quality: nowhere(internal),
  resembles: nowhere(ofModeration),
  blur: { ...nowhere(internal), api: 'blur' },
  title: { ...everywhere('title'), event: inApi },
  alt: { ...everywhere('alt'), event: inApi },
  slug: { ...everywhere('slug'), event: inApi, exported: { missing: 'a custom link belongs to one server' } },
  views_left: { ...everywhere('views_left'), event: inApi },
  views: { ...everywhere('views'), event: inApi },
  visibility: everywhere('visibility'),
  view_key_version: nowhere(internal),
  tags: everywhere('tags'),
}

/** Others are read back by `metadataOf` of server/importers/sidecar-json.ts, or follow from the bytes. */
const newInImport = ['id', 'file_name', 'quarantined_at', 'expires_at']
export const columnsReadBack = (Object.keys(imageColumns) as (keyof ImagesTable)[]).filter(
  (column) => typeof imageColumns[column].exported === 'string' && !newInImport.includes(column),
)

export const fieldsOf = (place: keyof Shown): string[] =>
  Object.values(imageColumns).flatMap((shown) => (typeof shown[place] === 'string' ? [shown[place]] : []))
