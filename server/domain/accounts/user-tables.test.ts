// Every column that identifies a user, and what the archive of their data and the deletion of their
// account do with its rows. A new column that is missing here fails.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from 'kysely'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import tar from 'tar-stream'
import type { Schema } from '../../db/schema.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { archivedTables } from '../../testing/own-data-columns.ts'
import { jpeg } from '../../testing/test-images.ts'
import { sweepExpired } from '../images/deletion/sweep.ts'

type Table = keyof Schema

interface Treatment {
  /** A row of the user; without it the app writes one. */
  row?: (id: string, imageId: string) => [Table, object]
  /** The field of data.json and a text in it that the row causes, or why the archive is without it. */
  exported: [field: string, shown: string] | string
  /** Or why the id remains. */
  erased: true | string
}

const times = { created_at: 1, last_used_at: 1 }
const ofSite = 'what an admin does for the site'
/** The id of every row below, which is not that of the user. */
const rowId = 'a row'
const idOnly = 'an id that means nothing any more'

const treatments: Record<string, Treatment> = {
  'sessions.user_id': { exported: ['sessions', 'Node.js'], erased: true },
  'images.owner_id': { exported: ['images', 'upload.jpg'], erased: true },
  'images_by_views.list_owner_id': { exported: ['images', 'upload.jpg'], erased: true },
  'image_tags.owner_id': { exported: ['images', 'shown tag'], erased: true },
  'tags.owner_id': {
    row: (id) => ['tags', { owner_id: id, name: 'shown tag', colour: 'teal' }],
    exported: ['tags', 'teal'],
    erased: true,
  },
  'albums.owner_id': {
    row: (id) => [
      'albums',
      {
        id: rowId,
        owner_id: id,
        title: 'shown album',
        guest_token_hash: 'withheld',
        upload_visibility: null,
        created_at: 1,
      },
    ],
    exported: ['albums', 'shown album'],
    erased: true,
  },
  'album_images.added_by': {
    // The image is the one that the user uploads.
    row: (id, imageId) => [
      'album_images',
      { album_id: 'of another', image_id: imageId, position: 'a0', added_by: id, added_at: 1 },
    ],
    exported: 'in the albums of others; their owners export them',
    erased: true,
  },
  'album_members.user_id': {
    row: (id) => [
      'album_members',
      {
        id: rowId,
        album_id: 'of another',
        user_id: id,
        email: null,
        role: 'add',
        token_hash: 'withheld',
        created_at: 1,
      },
    ],
    exported: ['album_memberships', "another's album"],
    erased: true,
  },
  'links.owner_id': {
    row: (id) => [
      'links',
      { id: rowId, slug: 'shown-link', owner_id: id, album_id: rowId, password_hash: 'withheld', created_at: 1 },
    ],
    exported: ['links', 'shown-link'],
    erased: true,
  },
  'images.former_owner_id': { exported: 'its owner has deleted the account', erased: true },
  'audit_log.actor': { exported: ['log', 'user_created'], erased: idOnly },
  'audit_log.target': { exported: 'as what the user did to others, in the log', erased: idOnly },
  'audit_log.target_label': {
    // Invited to an album of another.
    row: () => [
      'audit_log',
      {
        id: 'of another',
        created_at: 1,
        action: 'member_invited',
        actor: 'of another',
        target: 'of another',
        target_label: user.email,
        details: '{}',
      },
    ],
    exported: 'is that of the account',
    erased: true,
  },
  'imported_rows.target_id': {
    row: (id) => ['imported_rows', { source: 'lsky', kind: 'user', source_id: rowId, target_id: id }],
    exported: 'that the account was imported, which its owner knows',
    erased: idOnly,
  },
  'audit_log.actor_email': { exported: 'is that of the account', erased: true },
  'api_keys.user_id': {
    row: (id) => [
      'api_keys',
      {
        id: rowId,
        user_id: id,
        name: 'shown key',
        prefix: 'ik_',
        key_hash: 'withheld',
        ...times,
        scopes: 'upload',
        uploaded_bytes: 0,
      },
    ],
    exported: ['api_keys', 'shown key'],
    erased: true,
  },
  'webhooks.user_id': {
    row: (id) => [
      'webhooks',
      {
        id: rowId,
        user_id: id,
        url: 'https://shown.example/',
        events: 'image.uploaded',
        secret: 'withheld',
        created_at: 1,
        paused_until: 0,
        expiring_until: 0,
      },
    ],
    exported: ['webhooks', 'shown.example'],
    erased: true,
  },
  'totp_factors.user_id': {
    row: (id) => [
      'totp_factors',
      {
        user_id: id,
        secret: 'withheld',
        created_at: 1,
        confirmed_at: Date.UTC(2001),
        last_step: 0,
      },
    ],
    exported: ['security', '2001-01-01'],
    erased: true,
  },
  'passkeys.user_id': {
    row: (id) => [
      'passkeys',
      {
        id: rowId,
        user_id: id,
        credential_id: rowId,
        public_key: 'withheld',
        counter: 0,
        transports: '',
        is_synced: 0,
        name: 'shown passkey',
        ...times,
      },
    ],
    exported: ['security', 'shown passkey'],
    erased: true,
  },
  'recovery_codes.user_id': {
    row: (id) => ['recovery_codes', { code_hash: 'withheld', user_id: id, created_at: 1 }],
    exported: ['security', '"recoveryCodes":1'],
    erased: true,
  },
  'identities.user_id': {
    row: (id) => [
      'identities',
      {
        id: rowId,
        user_id: id,
        provider: 'shown provider',
        issuer: 'https://idp.example',
        subject: rowId,
        email: 'shown@idp.example',
        ...times,
      },
    ],
    exported: ['security', 'shown@idp.example'],
    erased: true,
  },
  'known_browsers.user_id': {
    row: (id) => ['known_browsers', { user_id: id, browser_hash: 'withheld', seen_at: Date.UTC(2002) }],
    exported: ['known_browsers', '2002-01-01'],
    erased: true,
  },
  'mail_links.user_id': {
    row: (id) => [
      'mail_links',
      {
        token_hash: 'withheld',
        purpose: 'confirm',
        email: 'new@example.com',
        user_id: id,
        expires_at: Date.UTC(2999),
      },
    ],
    exported: 'good for a day',
    erased: true,
  },
  'outgoing_mail.user_id': {
    row: (id) => [
      'outgoing_mail',
      {
        id: rowId,
        user_id: id,
        is_notice: 1,
        subject: '',
        body: '',
        created_at: 1,
        attempts: 0,
        next_try_at: Date.UTC(2999),
      },
    ],
    exported: 'the user receives it',
    erased: true,
  },
  'expiry_digests.user_id': {
    row: (id) => ['expiry_digests', { user_id: id, sent_at: 1 }],
    exported: 'when a mail was sent, which the user has received',
    erased: true,
  },
  'pin_attempts.user_id': {
    row: (id) => ['pin_attempts', { id: rowId, user_id: id, by_admin: 0, at: 1, is_wrong: 1, is_forgiven: 0 }],
    exported: 'a count of the last day',
    erased: true,
  },
  'tombstones.slug_owner_id': {
    row: (id) => [
      'tombstones',
      { id: rowId, file_name: rowId, gone_at: Date.UTC(2999), slug: 'was', slug_owner_id: id },
    ],
    exported: 'of a deleted image',
    erased: true,
  },
  'report_cases.owner_id': {
    row: (id) => [
      'report_cases',
      {
        id: rowId,
        image_id: rowId,
        original_name: 'a.jpg',
        owner_id: id,
        opened_at: 1,
        report_count: 1,
        decided_by: id,
      },
    ],
    exported: 'protects those who report',
    erased: true,
  },
  'report_cases.decided_by': { exported: ofSite, erased: idOnly },
  'blocked_images.created_by': {
    row: (id) => ['blocked_images', { sha256: rowId, reason: '', created_at: 1, created_by: id, version: 1 }],
    exported: ofSite,
    erased: idOnly,
  },
  'blocked_networks.created_by': {
    row: (id) => ['blocked_networks', { network: '192.0.2.0/24', note: '', created_at: 1, created_by: id }],
    exported: ofSite,
    erased: idOnly,
  },
  'invites.created_by': {
    row: (id) => [
      'invites',
      {
        id: rowId,
        token_hash: 'withheld',
        note: '',
        role: 'user',
        max_uses: 1,
        uses: 0,
        expires_at: Date.UTC(2999),
        created_at: 1,
        created_by: id,
      },
    ],
    exported: ofSite,
    erased: idOnly,
  },
  'pin_attempts.by_admin': { exported: 'a flag', erased: 'a flag' },
  'backups.taken_by': { exported: 'no user: the server or a command', erased: 'no user: the server or a command' },
}

let app: TestApp
let user: Awaited<ReturnType<TestApp['newUser']>>
beforeAll(async () => {
  app = await startTestApp()
  user = await app.newUser()
  const { body: image } = await app.upload(await jpeg(30, 30), {
    token: user.token,
    name: 'upload.jpg',
    fields: { tags: 'shown tag' },
  })
  const other = await app.newUser()
  const album = { id: 'of another', owner_id: other.id, title: "another's album", description: '', created_at: 1 }
  await app.deps.db
    .insertInto('albums')
    .values({ ...album, guest_token_hash: null, parent_id: null, cover_id: null, query: null, upload_visibility: null })
    .execute()
  const invite = { album_id: album.id, role: 'view', created_at: 1, email: user.email } as const
  const noMember = { user_id: null, token_hash: 'withheld', accepted_at: null }
  await app.deps.db
    .insertInto('album_members')
    .values([
      { ...invite, ...noMember, id: 'pending' },
      // Accepted by another account than that of the address.
      { ...invite, ...noMember, id: 'accepted', user_id: other.id, accepted_at: 1 },
    ])
    .execute()
  for (const { row: make } of Object.values(treatments)) {
    if (make === undefined) continue
    const [table, values] = make(user.id, image.id)
    await app.deps.db.insertInto(table).values(values).execute()
  }
  const own = { album_id: rowId, image_id: image.id, position: 'a0', added_by: other.id, added_at: 1 }
  await app.deps.db.insertInto('album_images').values(own).execute()
})
afterAll(() => app.stop())

it('every column of the database that can identify a user has a treatment', async () => {
  const found = (await app.deps.db.introspection.getTables()).flatMap(({ name, columns }) =>
    columns.filter((column) => isOfUser(column.name)).map((column) => `${name}.${column.name}`),
  )
  // Other tests have the same tables in other schemas of the database.
  expect([...new Set(found)].toSorted()).toEqual(Object.keys(treatments).toSorted())
})

const hasWord = (column: string, words: string[]) => column.split('_').some((word) => words.includes(word))
const isOfUser = (column: string) => hasWord(column, ['user', 'owner', 'actor', 'target', 'by'])

/** What other columns that end in _id name. */
const otherIds = [
  'album',
  'case',
  'collection',
  'contact_message',
  'cover',
  'credential',
  'image',
  'invite',
  'link',
  'parent',
  'session',
  // The id at another host.
  'source',
  'webhook',
]

it('every other column with an id names no user', async () => {
  const named = (await app.deps.db.introspection.getTables()).flatMap(({ columns }) =>
    columns.flatMap(({ name }) => (name.endsWith('_id') && !isOfUser(name) ? name.slice(0, -'_id'.length) : [])),
  )
  expect([...new Set(named)].toSorted()).toEqual(otherIds)
})

/** Personal data in tables whose rows need no user, and when it ends. */
const personal: Record<string, string[]> = {
  'with the account': ['email', 'name', 'first_name', 'last_name', 'show_name', 'email_confirmed_at'].map(
    (name) => `users.${name}`,
  ),
  'with the image': ['images.file_name', 'images.original_name', 'images.address_hash'],
  'with the link': ['links.name'],
  'as its treatment says': ['audit_log.actor_email', 'album_members.email'],
  'with the entry of the audit log': ['audit_log.address'],
  'when the mail is sent, or its link ends': ['outgoing_mail.to_address', 'mail_links.email', 'mail_links.name'],
  'a message of somebody: when an admin deletes it': ['contact_messages.email', 'contact_messages.name'],
  'a year after the decision': ['reports.email', 'report_cases.original_name'],
  'when the block ends': ['blocked_networks.network'],
  'after 30 days': ['tombstones.file_name'],
  'no person': ['collections.name', 'settings.name'],
}

it('all personal data that has no user has a known end', async () => {
  const words = ['email', 'address', 'network', 'ip', 'name', 'device']
  const found = (await app.deps.db.introspection.getTables()).flatMap(({ name, columns }) => {
    const goesWithUser = columns.some((column) => /^(user|owner)_id$/.test(column.name) && !column.isNullable)
    return goesWithUser
      ? []
      : columns.filter((column) => hasWord(column.name, words)).map((column) => `${name}.${column.name}`)
  })
  expect([...new Set(found)].toSorted()).toEqual(Object.values(personal).flat().toSorted())
})

type Row = Record<string, unknown>
const firstOf = (found: unknown) => (Array.isArray(found) ? found[0] : found) as Row

/** Tables that are shown as fields of other lists, or as a number. */
const withinOthers = ['images_by_views', 'image_tags', 'recovery_codes']

describe('the archive of the own data', () => {
  let json = ''
  let data: Record<string, object>
  beforeAll(async () => {
    const headers = { authorization: `Bearer ${user.token}` }
    const response = await app.request('/api/me/data', { headers })
    for await (const entry of Readable.from(Buffer.from(await response.arrayBuffer())).pipe(tar.extract())) {
      const content = await text(entry)
      if (entry.header.name === 'data.json') json = content
    }
    data = JSON.parse(json)
  })

  it('has what is to be exported, and no secret or hash', () => {
    for (const [column, { exported }] of Object.entries(treatments)) {
      if (typeof exported === 'string') continue
      const [field, shown] = exported
      expect(JSON.stringify(data[field]), column).toContain(shown)
    }
    expect(json).not.toContain('withheld')
  })

  it.each(Object.entries(archivedTables))(
    "has the columns of %s that are the user's",
    (_, { at, derived, columns }) => {
      const row = at.reduce((within, name) => firstOf(within[name]), data as Row)
      const fields = Object.values(columns).filter((field) => typeof field === 'string')
      expect(Object.keys(row).toSorted()).toEqual([...fields, ...(derived ?? [])].toSorted())
    },
  )

  it('has a decision about every table with rows of the user', () => {
    const tables = Object.entries(treatments)
      .filter(([, { exported }]) => typeof exported !== 'string')
      .map(([column]) => column.replace(/\..*/, ''))
    const decided = ['users', ...tables].filter((name) => !withinOthers.includes(name)).toSorted()
    expect(Object.keys({ ...archivedTables, images: 0, albums: 0, links: 0 })).toEqual(expect.arrayContaining(decided))
  })
})

/** Whether a column of a treatment has the user. */
async function hasUser(name: string): Promise<boolean> {
  const [table = '', column = ''] = name.split('.')
  const value = ['actor_email', 'target_label'].includes(column) ? user.email : user.id
  const found = sql`select 1 from ${sql.table(table)} where cast(${sql.ref(column)} as text) = ${value}`
  return (await found.execute(app.deps.db)).rows.length > 0
}

/** These have no user, or none before the deletion. */
const empty = ['images.former_owner_id', 'pin_attempts.by_admin', 'backups.taken_by']

it('every other column of the treatments has the user before the deletion', async () => {
  const without: string[] = []
  for (const name of Object.keys(treatments)) if (!(await hasUser(name))) without.push(name)
  expect(without).toEqual(empty)
})

it('no other column of the database has the id of the user', async () => {
  const tables = await app.deps.db.introspection.getTables()
  const columns = tables.flatMap(({ name, columns: own }) => own.map((column) => `${name}.${column.name}`))
  const found: string[] = []
  for (const name of new Set(columns)) if (!(name in treatments) && (await hasUser(name))) found.push(name)
  expect(found).toEqual(['users.id'])
})

describe('the deletion of the account', () => {
  it('erases every row that is not retained for a reason', async () => {
    const { status } = await app.call('DELETE', '/api/me', { token: user.token, body: { immediately: true } })
    expect(status).toBe(200)
    await sweepExpired(app.deps)
    const left: Record<string, boolean> = {}
    for (const name of Object.keys(treatments)) left[name] = await hasUser(name)
    const members = app.deps.db.selectFrom('album_members').select(['id', 'email']).where('album_id', '=', 'of another')
    expect(await members.execute()).toEqual([{ id: 'accepted', email: null }])
    const retained = Object.entries(treatments).filter(([, { erased }]) => erased === idOnly)
    const expected = Object.keys(treatments).map((name) => [name, retained.some(([one]) => one === name)])
    expect(left).toEqual(Object.fromEntries(expected))
  })
})
