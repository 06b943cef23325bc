// Every table, and how backups and moves treat it. A table missing here does not compile.
import type { Schema } from '../../db/schema.ts'

interface Table {
  /** The primary key. */
  key: readonly string[]
  /** The column with an image's id: the row is removed with the image. */
  image?: string
  /** Why backups omit its rows. Default: they are included. */
  notBackedUp?: string
  /** Why moves to another database omit them as well. */
  notMoved?: string
}

/** In insertion order: referenced tables first. */
const every = {
  users: { key: ['id'] },
  images: { key: ['id'], image: 'id' },
  tombstones: { key: ['id'] },
  blocked_images: { key: ['sha256'] },
  blocked_networks: { key: ['network'] },
  report_cases: { key: ['id'] },
  reports: { key: ['id'] },
  settings: { key: ['name'] },
  api_keys: { key: ['id'] },
  imported_rows: { key: ['source', 'kind', 'source_id'] },
  legacy_paths: { key: ['path'], image: 'image_id' },
  image_tags: { key: ['image_id', 'tag'], image: 'image_id' },
  tags: { key: ['owner_id', 'name'] },
  albums: { key: ['id'] },
  album_images: { key: ['album_id', 'image_id'], image: 'image_id' },
  album_members: { key: ['id'] },
  links: { key: ['id'] },
  link_images: { key: ['link_id', 'image_id'], image: 'image_id' },
  webhooks: { key: ['id'] },
  webhook_deliveries: { key: ['id'], notBackedUp: 'a restored archive would send them again' },
  totp_factors: { key: ['user_id'] },
  passkeys: { key: ['id'] },
  recovery_codes: { key: ['code_hash'] },
  identities: { key: ['id'] },
  collections: { key: ['id'] },
  documents: { key: ['collection_id', 'id'] },
  contact_messages: { key: ['id'] },
  outgoing_mail: { key: ['id'] },
  invites: { key: ['id'] },
  mail_links: { key: ['token_hash'], notBackedUp: 'good for a day' },
  known_browsers: { key: ['user_id', 'browser_hash'] },
  expiry_notices: { key: ['image_id'], image: 'image_id' },
  expiry_digests: { key: ['user_id'] },
  image_views: { key: ['image_id', 'day'], image: 'image_id' },
  view_totals: { key: ['day'] },
  audit_log: { key: ['id'] },
  sessions: { key: ['id'], notBackedUp: 'everyone logs in again' },
  database_unlocks: { key: ['token_hash'], notBackedUp: 'bound to sessions' },
  cache_purges: { key: ['image_id'], notBackedUp: 'of caches that a restored instance does not have' },
  pin_attempts: { key: ['id'], notBackedUp: 'a count of the last day' },
  idempotency_keys: { key: ['key'], image: 'image_id', notBackedUp: 'good for a day' },
  backups: { key: ['id'], notBackedUp: 'the archives are not in the archive' },
  used_tokens: { key: ['id'], notBackedUp: 'good for minutes' },
  rate_counters: { key: ['key'], notBackedUp: 'counts of minutes', notMoved: 'counts of minutes' },
  images_by_views: {
    key: ['image_id'],
    notBackedUp: 'ordered again as the images come in',
    notMoved: 'ordered again as the images come in',
  },
  album_counts: {
    key: ['album_id'],
    notBackedUp: 'counted again as the images come in',
    notMoved: 'counted again as the images come in',
  },
  image_totals: {
    key: ['day', 'guest', 'shard'],
    notBackedUp: 'counted again as the images come in',
    notMoved: 'counted again as the images come in',
  },
} as const satisfies Record<keyof Schema, Table>

export type TableName = keyof Schema

export const tables: Record<TableName, Table> = every
export const allTables = Object.keys(every) as TableName[]
export const backedUpTables = allTables.filter((name) => tables[name].notBackedUp === undefined)
export const movedTables = allTables.filter((name) => tables[name].notMoved === undefined)
