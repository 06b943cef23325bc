// The rows that each schema version could hold. A new migration adds its entry: rows that can be written from then on, and what
// must hold for the older rows afterwards.

interface Question {
  ask: string
  answer: number
}

interface Fixture {
  /** Its tables are those of this migration and the earlier ones. */
  migration: string
  /** SQL for both databases in that schema, in addition to the rows of earlier versions. */
  rows: string[]
  /** What the product must find after migrating rows up to this version: a query for one number. */
  after: Question[]
}

/** One without rows and questions says why. */
export type SchemaFixture = Fixture &
  ({ rows: [string, ...string[]] } | { after: [Question, ...Question[]] } | { because: string })

const created = 1_700_000_000_000
const longAfter = 4_102_444_800_000

const image = (id: string, owner: string | null, bytes: number) => `
  insert into images (id, file_name, original_name, owner_id, guest_token_hash, format, width, height, frames, has_alpha,
                      bytes, sha256, placeholder, created_at, expires_at)
  values ('${id}', 'picture-${id}.jpg', 'Ünïcode ''quoted''.jpg', ${owner === null ? 'null' : `'${owner}'`},
          ${owner === null ? `'${'a'.repeat(64)}'` : 'null'}, 'jpeg', 640, 480, 1, 0,
          ${bytes}, '${'b'.repeat(64)}', '#123456', ${created}, ${longAfter})`

export const schemaFixtures: SchemaFixture[] = [
  {
    migration: '0001-accounts-and-images',
    rows: [
      `insert into users (id, email, name, role, status, password_hash, created_at)
       values ('ada', 'ada@example.com', 'Ada', 'admin', 'Active', '$argon2id$', ${created}),
              ('bob', 'bob@example.com', 'Bob', 'user', 'Inactive', '$argon2id$', ${created})`,
      `insert into sessions (id, user_id, created_at, last_seen_at) values ('session', 'ada', ${longAfter}, ${longAfter})`,
      image('one', 'ada', 1000),
      image('two', 'ada', 3_000_000_000),
      image('guests', null, 500),
      `insert into tombstones (id, file_name, gone_at) values ('gone', 'gone.jpg', ${longAfter})`,
      `insert into settings (name, value) values ('a setting', 'its value')`,
    ],
    after: [
      // A counter since 0005, recounted by 0007, and a column since 0003: earlier rows must be counted too.
      { ask: `select image_count from users where id = 'ada'`, answer: 2 },
      { ask: `select image_bytes from users where id = 'ada'`, answer: 3_000_001_000 },
      { ask: `select image_count from users where id = 'bob'`, answer: 0 },
      { ask: 'select sum(images) from image_totals where guest = 1', answer: 1 },
      { ask: 'select sum(bytes) from image_totals', answer: 3_000_001_500 },
      { ask: `select mail_digest from users where id = 'ada'`, answer: 1 },
      { ask: `select count(*) from images where id = 'one' and undo_until is null`, answer: 1 },
    ],
  },
  {
    migration: '0002-documents',
    rows: [
      `insert into collections (id, name, documents, next_position, created_at) values ('c', 'plants', 1, 1, ${created})`,
      `insert into documents (collection_id, id, position, body, bytes, version, created_at, updated_at)
       values ('c', 'fern', 0, '{"name":"Fern \u2618"}', 21, 0, ${created}, ${created})`,
      `insert into pin_attempts (id, user_id, by_admin, at, is_wrong, is_forgiven) values ('p', 'bob', 0, ${longAfter}, 1, 0)`,
    ],
    // Counted by 0012.
    after: [{ ask: `select bytes from collections where id = 'c'`, answer: 21 }],
  },
  {
    migration: '0003-backups',
    rows: [
      `insert into backups (id, status, taken_by, bytes, progress, error, created_at, seen_at)
       values ('b', 'failed', 'server', 0, 10, 'The disk was full', ${created}, ${created})`,
    ],
    after: [],
  },
  {
    migration: '0004-mail',
    rows: [
      `update users set mail_digest = 0 where id = 'bob'`,
      `insert into contact_messages (id, name, email, subject, message, created_at, sent_at)
       values ('m', 'Eve', 'eve@example.com', 'Hello', 'A message', ${created}, null)`,
      `insert into outgoing_mail (id, contact_message_id, user_id, subject, body, created_at, attempts, next_try_at)
       values ('o', 'm', null, 'Hello', 'A message', ${created}, 3, ${longAfter})`,
      `insert into expiry_digests (user_id, sent_at) values ('ada', ${created})`,
      `insert into expiry_notices (image_id, expires_at) values ('one', ${longAfter})`,
    ],
    after: [{ ask: 'select count(*) from users where mail_digest = 0', answer: 1 }],
  },
  {
    migration: '0005-keys-and-limits',
    rows: [
      `insert into api_keys (id, user_id, name, prefix, key_hash, created_at, last_used_at)
       values ('k', 'ada', 'a key', 'ik_12345', '${'c'.repeat(64)}', ${created}, null)`,
      `insert into idempotency_keys (key, image_id, created_at) values ('${'d'.repeat(64)}', 'one', ${longAfter})`,
    ],
    // Since 0009 keys have scopes: an older one can do what it could.
    after: [
      {
        ask: `select count(*) from api_keys where id = 'k' and scopes = 'upload,read,manage' and expires_at is null`,
        answer: 1,
      },
    ],
  },
  {
    migration: '0006-undo',
    rows: [
      `update images set undo_until = ${longAfter}, undo_expires_at = ${longAfter}, expires_at = 0 where id = 'two'`,
    ],
    after: [{ ask: `select undo_until from images where id = 'two'`, answer: longAfter }],
  },
  // It counts existing rows and allows no new ones.
  { migration: '0007-recount', rows: [], after: [], because: '0001 asks for what it counts' },
  {
    migration: '0008-quotas',
    rows: [`update users set quota_bytes = 5000000000, quota_images = 0 where id = 'bob'`],
    after: [
      { ask: `select quota_bytes from users where id = 'bob'`, answer: 5_000_000_000 },
      { ask: `select count(*) from users where quota_images is null`, answer: 1 },
    ],
  },
  {
    migration: '0009-api-key-scopes',
    rows: [
      `insert into api_keys (id, user_id, name, prefix, key_hash, created_at, last_used_at, scopes, expires_at,
                             uploads_per_hour, max_bytes, uploaded_bytes, last_used_network)
       values ('limited', 'ada', 'a limited key', 'ik_67890', '${'e'.repeat(64)}', ${created}, ${created}, 'upload',
               ${longAfter}, 60, 3000000000, 1000, '203.0.113.0/24')`,
    ],
    after: [
      { ask: `select max_bytes from api_keys where id = 'limited' and scopes = 'upload'`, answer: 3_000_000_000 },
    ],
  },
  {
    migration: '0010-moderation',
    rows: [
      `update images set quarantined_at = ${created} where id = 'guests'`,
      `insert into blocked_images (sha256, phash, quality, reason, created_at, created_by)
       values ('${'e'.repeat(64)}', null, null, 'a reason', ${created}, 'ada')`,
    ],
    after: [{ ask: `select quarantined_at from images where id = 'guests'`, answer: created }],
  },
  {
    migration: '0011-audit',
    rows: [
      `insert into audit_log (id, created_at, action, actor, actor_email, target, target_label, address, details)
       values ('e', ${created}, 'login_failed', 'guest', null, 'ada', 'ada@example.com', '203.0.113.7', '{"code":"x"}')`,
      `update images set address_hash = '${'e'.repeat(64)}' where id = 'guests'`,
    ],
    after: [
      { ask: `select count(*) from audit_log where target = 'ada'`, answer: 1 },
      { ask: 'select count(*) from images where address_hash is not null', answer: 1 },
    ],
  },
  {
    migration: '0012-http-hardening',
    rows: [`update idempotency_keys set content_hash = '${'e'.repeat(64)}'`],
    after: [],
  },
  {
    migration: '0013-reports',
    rows: [
      `insert into report_cases (id, image_id, original_name, owner_id, opened_at, report_count)
       values ('case', 'one', 'picture.jpg', 'ada', ${created}, 1)`,
      `insert into reports (id, case_id, reason, comment, email, created_at)
       values ('report', 'case', 'spam', 'Comment \u2618', 'eve@example.com', ${created})`,
    ],
    // Mail that was queued before is not a notice.
    after: [{ ask: `select is_notice from outgoing_mail where id = 'o'`, answer: 0 }],
  },
  {
    migration: '0014-block-lists',
    rows: [
      `update images set phash = '${'7'.repeat(16)}', phash_quality = 80, resembles = '${'e'.repeat(64)}' where id = 'guests'`,
      `insert into blocked_networks (network, note, expires_at, created_at, created_by)
       values ('198.51.100.0/24', 'a note', ${longAfter}, ${created}, 'ada')`,
    ],
    after: [
      { ask: `select count(*) from images where id = 'one' and phash is null`, answer: 1 },
      { ask: `select version from blocked_images where sha256 = '${'e'.repeat(64)}'`, answer: 0 },
    ],
  },
  {
    migration: '0015-temporary-passwords',
    rows: [`update users set password_expires_at = ${longAfter} where id = 'ada'`],
    after: [{ ask: 'select count(*) from users where password_expires_at is null', answer: 1 }],
  },
  {
    migration: '0016-webhooks',
    rows: [
      `insert into webhooks (id, user_id, url, events, secret, created_at, paused_until, expiring_until)
       values ('hook', 'ada', 'https://example.com/', 'image.uploaded', 'whsec_AAAA', ${created}, 0, ${created})`,
      `insert into webhook_deliveries (id, webhook_id, event, body, created_at, status, attempts, next_try_at)
       values ('delivery', 'hook', 'image.uploaded', '{}', ${created}, 'pending', 0, ${created})`,
    ],
    after: [],
  },
  {
    migration: '0017-share',
    rows: [
      `update images set title = 'A title \u2618', alt = 'A description', slug = 'a-link', blur = 'UklGRg==' where id = 'guests'`,
      `update tombstones set slug = 'an-old-link', slug_owner_id = 'ada' where id = 'gone'`,
      `update users set show_name = 1 where id = 'ada'`,
    ],
    after: [
      {
        ask: `select count(*) from images where id = 'one' and title = '' and alt = '' and slug is null and blur is null`,
        answer: 1,
      },
      { ask: 'select count(*) from users where show_name = 0', answer: 1 },
    ],
  },
  {
    migration: '0018-views',
    rows: [
      `update images set views_left = 3 where id = 'guests'`,
      `insert into image_views (image_id, day, views) values ('one', 20000, 7)`,
      `insert into view_totals (day, views) values (20000, 7)`,
      `insert into cache_purges (image_id, due_at, is_repeated) values ('gone', ${created}, 0)`,
    ],
    after: [
      { ask: `select count(*) from images where id = 'one' and views_left is null`, answer: 1 },
      { ask: `select views from images where id = 'one'`, answer: 7 },
    ],
  },
  {
    migration: '0019-confirmed-addresses',
    rows: [
      `update users set email_confirmed_at = ${created} where id = 'ada'`,
      `insert into invites (id, token_hash, note, role, max_uses, uses, expires_at, created_at, created_by)
       values ('invite', '${'e'.repeat(64)}', 'Note \u2618', 'user', 5, 1, ${longAfter}, ${created}, 'ada')`,
      `insert into mail_links (token_hash, purpose, email, user_id, expires_at)
       values ('${'f'.repeat(64)}', 'reset', 'ada@example.com', 'ada', ${longAfter})`,
      `insert into known_browsers (user_id, browser_hash, seen_at) values ('ada', '${'e'.repeat(64)}', ${created})`,
    ],
    // Addresses from before are not confirmed, and mail that was queued before goes to a user.
    after: [
      { ask: 'select count(*) from users where email_confirmed_at is null', answer: 1 },
      { ask: `select count(*) from outgoing_mail where to_address is null`, answer: 1 },
    ],
  },
  {
    migration: '0020-factors',
    rows: [
      `insert into totp_factors (user_id, secret, created_at, confirmed_at, last_step)
       values ('ada', 'JBSWY3DPEHPK3PXP', ${created}, ${created}, 56666666)`,
      `insert into passkeys (id, user_id, credential_id, public_key, counter, transports, is_synced, name, created_at)
       values ('passkey', 'ada', 'AAAA', 'AAAA', 1, 'internal', 0, 'Laptop', ${created})`,
      `insert into recovery_codes (code_hash, user_id, created_at) values ('${'e'.repeat(64)}', 'ada', ${created})`,
      `insert into identities (id, user_id, provider, issuer, subject, email, created_at)
       values ('identity', 'ada', 'company', 'https://id.example.com', 'ada', 'ada@example.com', ${created})`,
    ],
    // Sessions from before had a password only.
    after: [{ ask: 'select count(*) from sessions where has_second_factor = 1', answer: 0 }],
  },
  {
    migration: '0021-sessions',
    rows: [`update users set deletion_at = ${longAfter} where id = 'bob'`],
    after: [
      { ask: `select count(*) from users where deletion_at is null`, answer: 1 },
      { ask: `select confirmed_at from sessions where id = 'session'`, answer: longAfter },
    ],
  },
  {
    migration: '0022-imports',
    rows: [
      `insert into imported_rows (source, kind, source_id, target_id) values ('zipline', 'image', 'x', 'one')`,
      `insert into legacy_paths (path, image_id, size) values ('/u/x.jpg', 'one', 'original')`,
      `insert into image_tags (image_id, tag) values ('one', 'holidays')`,
    ],
    // In lower case since 0032.
    after: [{ ask: `select count(*) from image_tags where image_id = 'one' and tag = 'holidays'`, answer: 1 }],
  },
  {
    migration: '0023-search',
    rows: [`update images set title = 'Ünïcode title', alt = 'A ''quoted'' text' where id = 'two'`],
    after: [{ ask: `select count(*) from images where lower(title) like '%title'`, answer: 1 }],
  },
  {
    migration: '0024-self-registered',
    rows: [`update users set self_registered = 0 where id = 'bob'`],
    // An admin of an older version did not register that role.
    after: [{ ask: `select self_registered from users where id = 'ada'`, answer: 0 }],
  },
  {
    migration: '0025-used-tokens',
    rows: [`insert into used_tokens (id, expires_at) values ('download:x', ${longAfter})`],
    after: [],
  },
  {
    migration: '0026-backup-place',
    rows: [],
    after: [{ ask: `select count(*) from backups where place = 'disk'`, answer: 1 }],
  },
  {
    migration: '0027-expired-at',
    rows: [],
    after: [{ ask: `select count(*) from tombstones where expired_at is not null`, answer: 0 }],
  },
  {
    migration: '0028-trash',
    rows: [],
    after: [],
    because: 'it adds indexes',
  },
  {
    migration: '0029-view-sums',
    rows: [`update images set views = 12 where id = 'two'`],
    after: [{ ask: `select views from images where id = 'guests'`, answer: 0 }],
  },
  {
    migration: '0030-live-lists',
    rows: [],
    // The order by views has the owners' images without the deleted one.
    after: [
      { ask: 'select count(*) from images_by_views', answer: 1 },
      { ask: `select view_count from images_by_views where image_id = 'one' and list_owner_id = 'ada'`, answer: 7 },
    ],
  },
  {
    migration: '0031-visibility',
    rows: [],
    after: [{ ask: `select count(*) from images where visibility = 'private'`, answer: 0 }],
  },
  {
    migration: '0032-tags',
    rows: [`insert into tags (owner_id, name, colour) values ('ada', 'holidays', 'teal')`],
    after: [
      { ask: `select count(*) from images where id = 'one' and tags = 'holidays'`, answer: 1 },
      { ask: `select count(*) from image_tags where image_id = 'one' and owner_id is not null`, answer: 1 },
    ],
  },
  {
    migration: '0033-albums-and-links',
    rows: [
      `insert into albums (id, owner_id, title, created_at) values ('trip', 'ada', 'Trip', 1)`,
      `insert into album_images (album_id, image_id, position, added_at) values ('trip', 'one', 'a0', 1), ('trip', 'two', 'Zz', 1)`,
      `insert into album_members (id, album_id, user_id, role, created_at, accepted_at) values ('bobs', 'trip', 'bob', 'add', 1, 2)`,
      `insert into links (id, slug, owner_id, album_id, password_hash, created_at)
       values ('all', 'trip', 'ada', 'trip', '$argon2id$', 1), ('some', 'two-of-them', 'ada', null, null, 1)`,
      `insert into link_images (link_id, image_id, position) values ('some', 'one', 0)`,
      `update api_keys set album_id = 'trip' where id = 'limited'`,
      `update album_images set added_by = 'bob' where album_id = 'trip' and image_id = 'one'`,
      `update images set expires_after_view_days = 7 where id = 'guests'`,
      `insert into albums (id, guest_token_hash, parent_id, title, description, cover_id, query, upload_visibility, created_at)
       values ('rome', '${'d'.repeat(64)}', 'trip', 'Rome', 'A description', 'one', 'is:private', 'private', 1)`,
      `insert into album_members (id, album_id, email, role, token_hash, created_at)
       values ('mailed', 'trip', 'eve@example.com', 'view', '${'d'.repeat(64)}', 1)`,
      `insert into links (id, slug, guest_token_hash, album_id, name, note, shows_private, starts_at, ends_at, views_left,
                          can_download, max_size, watermark, version, views, last_viewed_at, created_at, revoked_at)
       values ('every', 'every-option', '${'d'.repeat(64)}', 'trip', 'A name', 'A note', 1, 1, ${longAfter}, 5,
               0, 1600, 'By Ada', 1, 7, ${created}, 1, ${created})`,
    ],
    after: [
      // Without the deleted image, which keeps its place.
      { ask: `select images from album_counts where album_id = 'trip'`, answer: 1 },
      { ask: `select count(*) from album_images where album_id = 'trip'`, answer: 2 },
      { ask: `select count(*) from album_images where is_deleted = 1 and image_id = 'two'`, answer: 1 },
      { ask: `select count(*) from images_by_views where in_album = 1`, answer: 1 },
      { ask: `select count(*) from links where can_download = 1 and shows_private = 0`, answer: 2 },
    ],
  },
]
