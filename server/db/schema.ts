// The tables as the queries see them. Times are UTC milliseconds since 1970; flags are 0 or 1, the same on both databases.

export interface Schema {
  users: UsersTable
  sessions: SessionsTable
  images: ImagesTable
  tombstones: TombstonesTable
  settings: SettingsTable
}

export interface UsersTable {
  id: string
  /** In lower case: emails are compared without case. */
  email: string
  name: string
  role: 'user' | 'admin'
  status: 'Active' | 'Inactive'
  /** argon2id in PHC form, its parameters inside. */
  password_hash: string
  created_at: number
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
  format: 'jpeg' | 'png' | 'webp' | 'gif'
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
  expires_at: number
}

/** What was here once: answers 410 until it is forgotten. */
export interface TombstonesTable {
  id: string
  file_name: string
  gone_at: number
}

export interface SettingsTable {
  name: string
  value: string
}
