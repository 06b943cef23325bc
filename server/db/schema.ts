// The tables as the queries see them. Times are UTC milliseconds since 1970; flags are 0 or 1, the same on both databases.

export interface Schema {
  users: UsersTable
  sessions: SessionsTable
  images: ImagesTable
  tombstones: TombstonesTable
  settings: SettingsTable
  collections: CollectionsTable
  documents: DocumentsTable
  database_unlocks: DatabaseUnlocksTable
  pin_attempts: PinAttemptsTable
  contact_messages: ContactMessagesTable
  outgoing_mail: OutgoingMailTable
  expiry_notices: ExpiryNoticesTable
  expiry_digests: ExpiryDigestsTable
  backups: BackupsTable
  image_totals: ImageTotalsTable
  api_keys: ApiKeysTable
  rate_counters: RateCountersTable
  idempotency_keys: IdempotencyKeysTable
}

export interface UsersTable {
  id: string
  /** In lower case: emails are compared without case. */
  email: string
  name: string
  first_name: string
  last_name: string
  role: 'user' | 'admin'
  status: 'Active' | 'Inactive'
  /** argon2id in PHC form, its parameters inside. */
  password_hash: string
  /** Kept, not counted: a list of a million images must not count them. Rows that expired and were not swept included. */
  image_count: number
  image_bytes: number
  created_at: number
  /** Whether mails about expiring images are wanted. */
  mail_digest: 0 | 1
}

/** One row for each token that was handed out (its jti); without its row a token is worth nothing. */
export interface SessionsTable {
  id: string
  user_id: string
  created_at: number
  last_seen_at: number
}

export interface ImagesTable {
  id: string
  file_name: string
  original_name: string
  /** null: a guest's. */
  owner_id: string | null
  /** SHA-256 of the delete token in hex; null: a user's image. */
  guest_token_hash: string | null
  format: 'jpeg' | 'png' | 'webp' | 'gif' | 'svg'
  /** Pixels as displayed. */
  width: number
  height: number
  frames: number
  has_alpha: 0 | 1
  /** Of the stored original. */
  bytes: number
  /** Of the stored original, hex. */
  sha256: string
  placeholder: string
  created_at: number
  /** 0, or 1 where an admin did it to another's: deleted, with row and bytes still there until `undo_until`. */
  expires_at: number
  /** Until when a deletion can be undone; null: not deleted, or deleted for good at once. */
  undo_until: number | null
  /** What `expires_at` was before the deletion. */
  undo_expires_at: number | null
}

/** What was here once: answers 410 until it is forgotten. */
export interface TombstonesTable {
  id: string
  file_name: string
  gone_at: number
}

export interface ApiKeysTable {
  id: string
  user_id: string
  name: string
  /** The first characters of the key, to tell keys apart. */
  prefix: string
  /** SHA-256 of the whole key, hex. */
  key_hash: string
  created_at: number
  last_used_at: number | null
}

/** How often something was done in a window that began with the first time. */
export interface RateCountersTable {
  key: string
  hits: number
  ends_at: number
}

/** Which image an Idempotency-Key of an uploader answered with. */
export interface IdempotencyKeysTable {
  /** SHA-256 of the uploader and their key, hex. */
  key: string
  image_id: string
  created_at: number
}

/** What came by the contact form. */
export interface ContactMessagesTable {
  id: string
  name: string
  email: string
  subject: string
  message: string
  created_at: number
  /** When the mail server accepted it; null: not yet, or there is none. */
  sent_at: number | null
}

/** Mail that no mail server has accepted yet. The recipient is looked up when it is sent: the site's, or the user's address of then. */
export interface OutgoingMailTable {
  id: string
  /** To the site's address, answers to the writer of this message. */
  contact_message_id: string | null
  /** To this user. Exactly one of the two is set. */
  user_id: string | null
  subject: string
  body: string
  created_at: number
  attempts: number
  /** Also the lease: whoever sends moves it ahead first, so that another server does not send it meanwhile. */
  next_try_at: number
  /** Worth nothing any more from then on; null: kept until it is accepted. */
  drop_at: number | null
  last_error: string | null
}

/** Which expiry of an image its owner was told of by mail. An extended image has another. */
export interface ExpiryNoticesTable {
  image_id: string
  expires_at: number
}

/** When a user last got a digest. */
export interface ExpiryDigestsTable {
  user_id: string
  sent_at: number
}

export interface SettingsTable {
  name: string
  value: string
}

/** Generic collections of the database view. */
export interface CollectionsTable {
  id: string
  /** null: deleted, its documents are on their way out. */
  name: string | null
  /** How many there are: kept, not counted. */
  documents: number
  /** Where the next document goes. As large as `documents` as long as none was deleted. */
  next_position: number
  created_at: number
}

export interface DocumentsTable {
  collection_id: string
  id: string
  /** In the order of arrival, from 0; deletions leave gaps. */
  position: number
  /** A JSON object, without what the other columns say. */
  body: string
  /** Of the body in UTF-8. */
  bytes: number
  /** Shown as `__v`. */
  version: number
  created_at: number
  updated_at: number
}

/** Who has opened the database view. Leaves with its session. */
export interface DatabaseUnlocksTable {
  /** SHA-256 of the token, hex. */
  token_hash: string
  session_id: string
  expires_at: number
}

/** PINs that were tried: wrong, or not looked at yet. A right one leaves. */
export interface PinAttemptsTable {
  id: string
  user_id: string
  by_admin: 0 | 1
  at: number
  is_wrong: 0 | 1
  /** Its user knew the PIN later on: no longer counts for the user's own lock. */
  is_forgiven: 0 | 1
}

export interface BackupsTable {
  id: string
  status: 'running' | 'completed' | 'failed'
  /** Whose end a restart of the server proves. */
  taken_by: 'server' | 'cli'
  /** Of the archive, so far. */
  bytes: number
  /** Per cent. */
  progress: number
  error: string | null
  created_at: number
  /** When whoever takes it last gave a sign of life. */
  seen_at: number
}

/** Kept by triggers on `images`: sums over its rows are the figures about all images. Rows are added up, never read one by one. */
export interface ImageTotalsTable {
  /** Of the upload: UTC days since 1970. */
  day: number
  guest: 0 | 1
  /** So that connections do not wait for each other's row. */
  shard: number
  /** With the images that are gone by now. */
  uploads: number
  images: number
  bytes: number
}
