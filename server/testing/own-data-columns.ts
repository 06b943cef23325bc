// What a user gets of every column of the tables that the archive of their data shows. Images, albums and links are in
// image-columns.ts and album-columns.ts beside this file.
import type { Schema } from '../db/schema.ts'

type Field = string | { missing: string }

interface Archived<T> {
  /** Where data.json has the row, or the list with it; within a list, of its first item. */
  at: string[]
  /** Fields that are no column. */
  derived?: string[]
  /** The field, or why there is none. */
  columns: Record<keyof T, Field>
}

const ofOne = { missing: 'the archive is of one user' }
const idHere = { missing: 'means nothing elsewhere' }
const secret = { missing: 'secret' }
const internal = { missing: 'serves the server only' }
const ofProvider = { missing: 'identifies the account at the provider only' }

/** A new column does not compile without a decision here. A new table with a user is asked for by user-tables.test.ts. */
export const archivedTables: { [Name in keyof Schema]?: Archived<Schema[Name]> } = {
  users: {
    at: ['account'],
    derived: ['quota'],
    columns: {
      id: 'id',
      email: 'email',
      name: 'name',
      first_name: 'firstName',
      last_name: 'lastName',
      role: 'role',
      status: 'status',
      password_hash: secret,
      password_expires_at: internal,
      image_count: 'imageCount',
      image_bytes: 'imageBytes',
      quota_bytes: 'quotaBytes',
      quota_images: 'quotaImages',
      created_at: 'created_at',
      mail_digest: 'mailDigest',
      show_name: 'showName',
      deletion_at: 'deletion_at',
      email_confirmed_at: 'emailConfirmed',
      self_registered: internal,
      upload_visibility: 'uploadVisibility',
    },
  },
  sessions: {
    at: ['sessions'],
    columns: {
      id: idHere,
      user_id: ofOne,
      created_at: 'created_at',
      last_seen_at: 'last_used_at',
      device: 'device',
      network: 'network',
      confirmed_at: internal,
      has_second_factor: internal,
    },
  },
  known_browsers: {
    at: ['known_browsers'],
    columns: { user_id: ofOne, browser_hash: idHere, seen_at: 'last_login_at' },
  },
  api_keys: {
    at: ['api_keys'],
    columns: {
      id: idHere,
      user_id: ofOne,
      name: 'name',
      prefix: 'prefix',
      key_hash: secret,
      created_at: 'created_at',
      last_used_at: 'last_used_at',
      scopes: 'scopes',
      expires_at: 'expires_at',
      uploads_per_hour: 'uploads_per_hour',
      max_bytes: 'max_bytes',
      uploaded_bytes: 'uploaded_bytes',
      last_used_network: 'last_used_network',
      upload_visibility: 'upload_visibility',
      album_id: 'album_id',
    },
  },
  webhooks: {
    at: ['webhooks'],
    columns: {
      id: idHere,
      user_id: ofOne,
      url: 'url',
      events: 'events',
      secret,
      old_secret: secret,
      old_secret_until: internal,
      created_at: 'created_at',
      off_reason: 'off_reason',
      paused_until: internal,
      expiring_until: internal,
    },
  },
  tags: { at: ['tags'], columns: { owner_id: ofOne, name: 'name', colour: 'colour' } },
  album_members: {
    at: ['album_memberships'],
    derived: ['title'],
    columns: {
      id: idHere,
      album_id: 'album_id',
      user_id: ofOne,
      email: 'email',
      role: 'role',
      token_hash: secret,
      created_at: 'created_at',
      accepted_at: 'accepted_at',
    },
  },
  album_images: {
    at: ['albums', 'images'],
    columns: {
      album_id: { missing: 'the list is of one album' },
      image_id: 'id',
      position: { missing: 'the list has the order' },
      added_by: 'added_by_you',
      added_at: 'added_at',
      is_deleted: internal,
    },
  },
  totp_factors: {
    at: ['security', 'totp'],
    columns: { user_id: ofOne, secret, created_at: internal, confirmed_at: 'createdAt', last_step: internal },
  },
  passkeys: {
    at: ['security', 'passkeys'],
    columns: {
      id: 'id',
      user_id: ofOne,
      credential_id: internal,
      public_key: internal,
      counter: internal,
      transports: internal,
      is_synced: 'isSynced',
      name: 'name',
      created_at: 'createdAt',
      last_used_at: 'lastUsedAt',
    },
  },
  identities: {
    at: ['security', 'identities'],
    columns: {
      id: 'id',
      user_id: ofOne,
      provider: 'provider',
      issuer: ofProvider,
      subject: ofProvider,
      email: 'email',
      created_at: 'createdAt',
      last_used_at: 'lastUsedAt',
    },
  },
  audit_log: {
    at: ['log'],
    columns: {
      id: idHere,
      created_at: 'created_at',
      action: 'action',
      actor: ofOne,
      actor_email: ofOne,
      target: 'target',
      target_label: { missing: 'may name somebody else' },
      address: 'address',
      details: 'details',
    },
  },
}
