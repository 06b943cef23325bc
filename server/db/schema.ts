// The tables as typed for queries. Times are UTC milliseconds since 1970; flags are 0 or 1.
import type { Generated } from 'kysely'
import type { AuditAction } from '../../contract/plain/audit-actions.ts'
import type { ImageFormat } from '../../contract/plain/formats.ts'
import type { testEvent, WebhookEvent } from '../../contract/plain/webhook-events.ts'
import type { TagColour } from '../../contract/plain/tag-names.ts'
import type { ReportReason } from '../../contract/plain/report-reasons.ts'
import type { AlbumRole } from '../../contract/plain/album-roles.ts'
import type { Visibility } from '../../contract/plain/visibility.ts'

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
  mail_links: MailLinksTable
  invites: InvitesTable
  known_browsers: KnownBrowsersTable
  expiry_notices: ExpiryNoticesTable
  expiry_digests: ExpiryDigestsTable
  backups: BackupsTable
  image_totals: ImageTotalsTable
  api_keys: ApiKeysTable
  rate_counters: RateCountersTable
  used_tokens: UsedTokensTable
  idempotency_keys: IdempotencyKeysTable
  blocked_images: BlockedImagesTable
  blocked_networks: BlockedNetworksTable
  audit_log: AuditLogTable
  report_cases: ReportCasesTable
  reports: ReportsTable
  webhooks: WebhooksTable
  webhook_deliveries: WebhookDeliveriesTable
  totp_factors: TotpFactorsTable
  passkeys: PasskeysTable
  recovery_codes: RecoveryCodesTable
  identities: IdentitiesTable
  imported_rows: ImportedRowsTable
  legacy_paths: LegacyPathsTable
  image_tags: ImageTagsTable
  tags: TagsTable
  albums: AlbumsTable
  album_images: AlbumImagesTable
  album_counts: AlbumCountsTable
  album_members: AlbumMembersTable
  links: LinksTable
  link_images: LinkImagesTable
  image_views: ImageViewsTable
  images_by_views: ImagesByViewsTable
  view_totals: ViewTotalsTable
  cache_purges: CachePurgesTable
}

export interface UsersTable {
  id: string
  /** In lower case, because emails are compared case-insensitively. */
  email: string
  name: string
  first_name: string
  last_name: string
  role: 'user' | 'admin'
  status: 'Active' | 'Inactive'
  /** argon2id in PHC format, which contains its parameters. Empty: no password, only other ways to log in. */
  password_hash: string
  /** UTC milliseconds; null: never. A password that a command has generated is temporary. */
  password_expires_at: number | null
  /** Maintained with each change, not counted. Includes expired rows that are not swept yet, but not the trash. */
  image_count: number
  /** Likewise, with the trash: its bytes are on the disk. */
  image_bytes: number
  /** Quota set by an admin, 0 for none; null: the setting USER_QUOTA_BYTES. */
  quota_bytes: number | null
  /** Likewise for USER_QUOTA_IMAGES. */
  quota_images: number | null
  created_at: number
  /** Whether the user wants mails that remind: of expiring images, and of webhooks that were switched off. */
  mail_digest: 0 | 1
  /** Whether the share pages of the user's images show their name. */
  show_name: 0 | 1
  /** When the account is deleted because its user wants it; null: not. */
  deletion_at: number | null
  /** When its user followed a link that was mailed to `email`; null: no other mail goes there. */
  email_confirmed_at: number | null
  /** 1: its user entered the address, which may be another person's. 0: an admin, the operator or a login provider did. */
  self_registered: 0 | 1
  /** Of uploads that do not say. */
  upload_visibility: Visibility
}

/** One row per issued token (its jti). A token without its row is invalid. */
export interface SessionsTable {
  id: string
  user_id: string
  created_at: number
  last_seen_at: number
  /** Browser and system, or program, at the login; null: unknown. */
  device: string | null
  /** The network of the last use, such as 203.0.113.0/24; null: from before 0.3.0. */
  network: string | null
  /** When its user last proved who they are: by the login, or later by the password or a factor. */
  confirmed_at: number
  /** Whether its user has proven a second factor, at the login or since. */
  has_second_factor: 0 | 1
}

/** The authenticator app of an account (RFC 6238). */
export interface TotpFactorsTable {
  user_id: string
  /** Base32. */
  secret: string
  created_at: number
  /** When its first code was entered; null: it is being set up and does not count. */
  confirmed_at: number | null
  /** Time step of the last accepted code, which is refused from then on, and so are older ones. */
  last_step: number
}

export interface PasskeysTable {
  id: string
  user_id: string
  /** As the authenticator calls it, in base64url. */
  credential_id: string
  /** COSE, in base64url. */
  public_key: string
  /** Uses, as the authenticator counts them; 0 where it does not. */
  counter: number
  /** Separated by commas. */
  transports: string
  /** Whether it is stored on several devices. */
  is_synced: 0 | 1
  name: string
  created_at: number
  last_used_at: number | null
}

/** Unused ones: a used code is deleted. */
export interface RecoveryCodesTable {
  /** SHA-256 of the code without separators, hex. */
  code_hash: string
  user_id: string
  created_at: number
}

/** Accounts at login providers that are connected with accounts here. */
export interface IdentitiesTable {
  id: string
  user_id: string
  /** The provider's id in OIDC_PROVIDERS when it was connected. */
  provider: string
  issuer: string
  /** The claim `sub`. */
  subject: string
  /** At the provider, at the last login. */
  email: string | null
  created_at: number
  last_used_at: number | null
}

export interface ImagesTable {
  id: string
  file_name: string
  original_name: string
  /** null for a guest's image. */
  owner_id: string | null
  /** SHA-256 of the delete token in hex; null for a user's image. */
  guest_token_hash: string | null
  format: ImageFormat
  /** In pixels as displayed. */
  width: number
  height: number
  frames: number
  has_alpha: 0 | 1
  /** Of the stored original. */
  bytes: number
  /** Of the stored original, hex. */
  sha256: string
  /** Average colour, `#rrggbb`. */
  placeholder: string
  created_at: number
  /**
   * 0: deleted, 1: deleted by an admin for another user, 2: in the trash of its owner. All are retained until
   * `undo_until`. `keptExpiry` (server/db/never-expires.ts): it never expires, which is null everywhere outside.
   */
  expires_at: number
  /** Each view moves the expiry to at least so many days later; null: views do not matter. */
  expires_after_view_days: number | null
  /** Until when a deletion can be undone, at most the previous expiry; null when not deleted or deleted permanently. */
  undo_until: number | null
  /** What `expires_at` was before the deletion. */
  undo_expires_at: number | null
  /** Since when an admin hides the image from everyone; null when it is not quarantined. */
  quarantined_at: number | null
  /**
   * Of the uploader's network address, as domain/shared/address-privacy.ts makes it; null after
   * ADDRESS_RETENTION_DAYS.
   */
  address_hash: string | null
  /** For the audit log: of an image that expires because its owner's account was deleted. */
  former_owner_id: string | null
  /** Perceptual hash, 16 hex digits; null for images from before there was one. */
  phash: string | null
  /** How distinctive `phash` is, 0 to 100; null with it. */
  phash_quality: number | null
  /** SHA-256 of the blocked image that this one resembled at its upload, hex; null when none. */
  resembles: string | null
  /** A tiny copy, shown enlarged until the image has loaded: WebP in base64. null for images from before there was one. */
  blur: string | null
  /** Written by the owner; empty when not. */
  title: string
  /** What the image shows, in words; empty when the owner has written nothing. */
  alt: string
  /** The custom link /s/{slug}, in lower case; null when there is none. */
  slug: string | null
  /** How often the image is still served; null: no limit. At 0 it has expired. */
  views_left: number | null
  /** How often it was viewed: the sum of its rows in `image_views`, written with them, and the views that it was imported with. */
  views: number
  visibility: Visibility
  /** Incremented to end all view keys of the image. */
  view_key_version: number
  /** Its rows in `image_tags`, in order, separated by line breaks (server/db/image-tags.ts). */
  tags: string
}

export interface AlbumsTable {
  id: string
  /** null for an album of guests. */
  owner_id: string | null
  /** SHA-256 of the album's token in hex; null for a user's album. */
  guest_token_hash: string | null
  /** The album that this one is in; null: none. Kept free of circles. */
  parent_id: string | null
  title: string
  description: string
  /** Where it is not in the album, or null, the first image is the cover. */
  cover_id: string | null
  /** Of a live album: it has what this query finds (contract/plain/image-query.ts), and no rows in `album_images`. */
  query: string | null
  /** Of uploads into the album that do not say; null: as the key or the account has it. */
  upload_visibility: Visibility | null
  created_at: number
}

export interface AlbumImagesTable {
  album_id: string
  image_id: string
  /** Sorts by its characters; between two there is always a third (the library fractional-indexing). */
  position: string
  /** The user; null for a guest's album, and when the account is deleted. */
  added_by: string | null
  added_at: number
  /** Whether the image was deleted and can be restored. Triggers maintain it. */
  is_deleted: Generated<number>
}

/** Images of each album that is not live, without deleted ones. Triggers maintain it (docs/decisions/0070). */
export interface AlbumCountsTable {
  album_id: string
  images: number
}

/** People beside its owner who may view an album, or more. */
export interface AlbumMembersTable {
  id: string
  album_id: string
  /** null until the invitation is accepted. */
  user_id: string | null
  /** Where the invitation went, in lower case; null: the owner named the account. */
  email: string | null
  role: AlbumRole
  /** SHA-256 of the invitation's token, hex; null when it was accepted. */
  token_hash: string | null
  created_at: number
  accepted_at: number | null
}

/** What an album, an image or a selection of images is shared through: /l/SLUG (docs/decisions/0070). */
export interface LinksTable {
  id: string
  slug: string
  /** null for a link of guests. */
  owner_id: string | null
  guest_token_hash: string | null
  /** null: its images are in `link_images`. */
  album_id: string | null
  /** For its owner, as is the note. */
  name: string
  note: string
  /** Whether it shows the private images of the album. Images that are named in `link_images` are shown in any case. */
  shows_private: 0 | 1
  /** argon2id in PHC format; null: no password. */
  password_hash: string | null
  /** null: from its creation on. */
  starts_at: number | null
  /** null: it does not end by itself. */
  ends_at: number | null
  /** How many visitors may still open it; null: no limit. */
  views_left: number | null
  /** Whether visitors get the originals. */
  can_download: 0 | 1
  /** Pixels of the longest side of what visitors get instead; null: any. */
  max_size: number | null
  /** Drawn over what visitors get; empty: nothing. */
  watermark: string
  /** Incremented to end what visitors have: keys in addresses, and the cookie of the password. */
  version: number
  views: number
  last_viewed_at: number | null
  created_at: number
  revoked_at: number | null
}

export interface LinkImagesTable {
  link_id: string
  image_id: string
  position: number
}

/** Views of an image on one day. */
export interface ImageViewsTable {
  image_id: string
  /** Days since 1970, UTC. */
  day: number
  views: number
}

/** The order of an owner's images by views, without the deleted ones, and which are in no album. Triggers maintain it (docs/decisions/0068). */
export interface ImagesByViewsTable {
  image_id: string
  list_owner_id: string
  view_count: number
  /** Whether it is in any album, of anybody. */
  in_album: Generated<number>
}

/** Views of all images on one day, also of those that were deleted since. */
export interface ViewTotalsTable {
  /** Days since 1970, UTC. */
  day: number
  views: number
}

/** Images that caches in front of the servers are to drop (docs/decisions/0047). */
export interface CachePurgesTable {
  image_id: string
  due_at: number
  /** Whether caches were purged of it once already. */
  is_repeated: 0 | 1
}

/** Images that are refused at upload. */
export interface BlockedImagesTable {
  /** Of a stored original or of a received file, hex. */
  sha256: string
  /** Perceptual hash, 16 hex digits; null when it is unknown. */
  phash: string | null
  /** How distinctive `phash` is, 0 to 100; null with it. */
  quality: number | null
  reason: string
  created_at: number
  /** The admin; null when a command blocked it. */
  created_by: string | null
  /** Counts the changes of the list, so that servers load only the rows that are new to them. */
  version: number
}

/** Networks that may not upload, register or log in. */
export interface BlockedNetworksTable {
  /** As normalNetwork writes it (server/domain/moderation/networks.ts). */
  network: string
  note: string
  /** null when the block does not end by itself. */
  expires_at: number | null
  created_at: number
  /** The admin. */
  created_by: string
}

/** A reported image: all reports of it until an admin decides. A later report opens a new case. */
export interface ReportCasesTable {
  id: string
  /** The image may be deleted. Unique among cases without a decision. */
  image_id: string
  /** At the time of the first report, as is `owner_id`. */
  original_name: string
  owner_id: string | null
  opened_at: number
  /** Includes reports that were counted only. */
  report_count: number
  /** When the operator was notified by mail; null when not yet. */
  announced_at: number | null
  /** Null together with the other columns about it. `image_gone`: closed by the server. */
  decision: 'dismiss' | 'quarantine' | 'remove' | 'block' | 'image_gone' | null
  /** For admins. */
  note: string | null
  decided_at: number | null
  /** The admin; null for the server and a command. */
  decided_by: string | null
}

export interface ReportsTable {
  id: string
  case_id: string
  reason: ReportReason
  comment: string
  /** Of the reporter. */
  email: string | null
  created_at: number
}

/** Deleted images: requests get 410 until the tombstone is deleted. */
export interface TombstonesTable {
  id: string
  /** The id; in rows of versions before 0.3 the file name. */
  file_name: string
  gone_at: number
  /** Null: it was deleted, or removed by a version before 0.3. */
  expired_at: number | null
  /** The custom link of the image: it responds with 410 too. */
  slug: string | null
  /** The account that may use `slug` for another image meanwhile. */
  slug_owner_id: string | null
  /** Addresses of a private image respond with 404 instead of 410. */
  visibility: Visibility
}

export interface ApiKeysTable {
  id: string
  user_id: string
  name: string
  /** The first characters of the key, so that users can distinguish keys. */
  prefix: string
  /** SHA-256 of the whole key, hex. */
  key_hash: string
  created_at: number
  last_used_at: number | null
  /** Comma-separated; see contract/plain/scopes.ts. */
  scopes: string
  /** null: does not expire. */
  expires_at: number | null
  /** null: no limit. */
  uploads_per_hour: number | null
  /** Limit of `uploaded_bytes`; null: no limit. */
  max_bytes: number | null
  /** Of the originals that were uploaded with the key, deleted ones included. */
  uploaded_bytes: number
  /** The network of the last use, such as 203.0.113.0/24; null: never used, or before 0.3.0. */
  last_used_network: string | null
  /** Of uploads with the key that do not say; null: as the account has it. */
  upload_visibility: Visibility | null
  /** The album that all uploads with the key are in; null: none. */
  album_id: string | null
}

export interface WebhooksTable {
  id: string
  user_id: string
  url: string
  /** Comma-separated; see contract/plain/webhook-events.ts. */
  events: string
  /** As its user has it: it signs requests. */
  secret: string
  old_secret: string | null
  /** The old secret signs until then. */
  old_secret_until: number | null
  created_at: number
  off_reason: 'user' | 'credentials' | 'gone' | 'failing' | 'backlog' | null
  /** Nothing is sent before: the receiver sent Retry-After, or could not be reached. */
  paused_until: number
  /** Images that expire until then have been announced. */
  expiring_until: number
}

/** The outbox of webhooks: written in the transaction of the event. */
export interface WebhookDeliveriesTable {
  /** The `webhook-id` of every try. */
  id: string
  webhook_id: string
  event: WebhookEvent | typeof testEvent
  /** The JSON that is sent. */
  body: string
  created_at: number
  status: 'pending' | 'delivered' | 'failed'
  attempts: number
  /**
   * Also the lease: moved ahead before a try, so that no other server sends it meanwhile. null: not
   * pending, or its webhook is switched off.
   */
  next_try_at: number | null
  last_try_at: number | null
  /** HTTP status of the last try; null without a response. */
  last_status: number | null
  last_error: string | null
}

/** Signed tokens that work once, and were used. */
export interface UsedTokensTable {
  /** The kind and the random id of the token. */
  id: string
  /** When the token stops working anyway. */
  expires_at: number
}

/** Fixed-window counters. A window starts with its first hit. */
export interface RateCountersTable {
  /** An HMAC of what is counted: no email or network address. */
  key: string
  hits: number
  ends_at: number
}

/** The image that an uploader's Idempotency-Key refers to. */
export interface IdempotencyKeysTable {
  /** SHA-256 of the uploader and their key, hex. */
  key: string
  image_id: string
  created_at: number
  /** SHA-256 of the file as sent, hex; null in rows of versions before 0.3. */
  content_hash: string | null
}

/** Messages of the contact form. */
export interface ContactMessagesTable {
  id: string
  name: string
  email: string
  subject: string
  message: string
  created_at: number
  /** When the mail server accepted it; null when not yet accepted or without a mail server. */
  sent_at: number | null
}

/** The outbox: mail not accepted by the mail server yet. Recipients are looked up when sent. */
export interface OutgoingMailTable {
  id: string
  /** Set for mail that has the sender of this message as the Reply-To address. */
  contact_message_id: string | null
  /** Set for mail to this user, whose address must be confirmed when it is sent. */
  user_id: string | null
  /**
   * Set for mail to this address: its confirmation, or the end of its account. Without any of the three the mail goes
   * to the site's address. At most one is set.
   */
  to_address: string | null
  /** Sent to the user whatever their status and their setting for mails that remind. */
  is_notice: 0 | 1
  subject: string
  body: string
  created_at: number
  /** Those that the mail server has judged, and the one under way. */
  attempts: number
  /** Also the lease: moved ahead before sending, so that no other server sends it meanwhile. */
  next_try_at: number
  /** The mail is discarded after this time; null when it has none of its own. */
  drop_at: number | null
  last_error: string | null
}

/** Links that were mailed and not used yet. */
export interface MailLinksTable {
  /** SHA-256 of the token in the link, hex. */
  token_hash: string
  /** `register` creates an account, `confirm` confirms an address of one, `reset` sets its password. */
  purpose: 'register' | 'confirm' | 'reset'
  /** The address that it was mailed to, in lower case. */
  email: string
  /** null for `register`. */
  user_id: string | null
  /** Of the account to create, as are the next two; null for the other purposes, and for a default name. */
  name: string | null
  password_hash: string | null
  invite_id: string | null
  expires_at: number
}

/** Links with which people register where, or with a role that, not everyone may. */
export interface InvitesTable {
  id: string
  /** SHA-256 of the token in the link, hex. */
  token_hash: string
  /** For admins. */
  note: string
  /** Of the accounts that it creates. */
  role: 'user' | 'admin'
  max_uses: number
  uses: number
  expires_at: number
  created_at: number
  /** The admin. */
  created_by: string
}

/** From where a user logged in: a login from elsewhere is announced by mail. */
export interface KnownBrowsersTable {
  user_id: string
  /** Of the random text that the page stores in its browser, or of the network of a program. */
  browser_hash: string
  seen_at: number
}

/** The expiry of an image that was announced by mail. An extended image has another expiry. */
export interface ExpiryNoticesTable {
  image_id: string
  expires_at: number
}

/** When a user last received a digest. */
export interface ExpiryDigestsTable {
  user_id: string
  sent_at: number
}

export interface SettingsTable {
  name: string
  value: string
}

/** Generic collections of the database browser. */
export interface CollectionsTable {
  id: string
  /** null when deleted while its documents are still being removed. */
  name: string | null
  /** Maintained with each change, not counted. */
  documents: number
  /** Of its documents. Maintained with each change, not counted. */
  bytes: number
  /** The position of the next document. Equals `documents` as long as none was deleted. */
  next_position: number
  created_at: number
}

export interface DocumentsTable {
  collection_id: string
  id: string
  /** Insertion order, from 0; deletions leave gaps. */
  position: number
  /** A JSON object, without the fields stored in the other columns. */
  body: string
  /** Of the body in UTF-8. */
  bytes: number
  /** Shown as `__v`. */
  version: number
  created_at: number
  updated_at: number
}

/** Unlocked sessions of the database browser. Deleted with the session. */
export interface DatabaseUnlocksTable {
  /** SHA-256 of the token, hex. */
  token_hash: string
  session_id: string
  expires_at: number
}

/** PIN attempts: wrong or not verified yet. A correct attempt is deleted. */
export interface PinAttemptsTable {
  id: string
  user_id: string
  by_admin: 0 | 1
  at: number
  is_wrong: 0 | 1
  /** The user entered the correct PIN later: no longer counts towards the user's own lockout. */
  is_forgiven: 0 | 1
}

/** Has no foreign keys: entries outlive what they describe. */
export interface AuditLogTable {
  id: string
  created_at: number
  action: AuditAction
  /** The id of an account, or one of the other actors of contract/plain/audit-actions.ts. */
  actor: string
  /** At the time of the action; null for the other actors. */
  actor_email: string | null
  /** The id of what was acted on. */
  target: string | null
  /** The name that people know it by, such as an email. */
  target_label: string | null
  /** In the form of LOG_ADDRESSES at that time. */
  address: string | null
  /** A JSON object. */
  details: string
}

export interface BackupsTable {
  id: string
  status: 'running' | 'completed' | 'failed'
  /** Backups of 'server' that still run when the server starts were interrupted. */
  taken_by: 'server' | 'cli'
  /** Where its archive is: in DATA_DIR/backups, or in the bucket of backups. */
  place: 'disk' | 's3'
  /** Of the archive so far; in the bucket what was uploaded. */
  bytes: number
  /** In per cent. */
  progress: number
  error: string | null
  created_at: number
  /** Heartbeat of the process that takes it. */
  seen_at: number
}

/** What `import-from` has imported, so that a second run skips it, also when it was deleted since. */
export interface ImportedRowsTable {
  /** The name of the source, such as 'zipline'. */
  source: string
  kind: 'user' | 'image' | 'album' | 'link'
  /** Its id there. */
  source_id: string
  /** The id of the account, image, album or link here. */
  target_id: string
}

/** Addresses that imported images had elsewhere (the setting LEGACY_PATHS). */
export interface LegacyPathsTable {
  /** Decoded, with the leading slash, without a query. */
  path: string
  /** The path remains as long as the tombstone of the image. */
  image_id: string
  /** Of the picture at that address. Converted: an original, in the format of the path's extension. */
  size: 'original' | 'converted' | 'medium' | 'thumbnail'
}

/** Albums and tags of imported images. */
export interface ImageTagsTable {
  image_id: string
  /** As normalizeTag writes it (contract/plain/tag-names.ts). On PostgreSQL in the order of its characters. */
  tag: string
  /** Of the image, so that an index finds the images of an owner. */
  owner_id: string | null
}

/** The tags of an account that have a colour. */
export interface TagsTable {
  owner_id: string
  name: string
  colour: TagColour
}

/** Maintained by triggers on `images`. Sums over the rows give the figures about all images. */
export interface ImageTotalsTable {
  /** Day of the upload: UTC days since 1970. */
  day: number
  guest: 0 | 1
  /** Spreads the writes, so that connections do not wait for each other's row. */
  shard: number
  /** Includes images that were deleted since. */
  uploads: number
  images: number
  bytes: number
}
