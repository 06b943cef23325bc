// The database browser: the PIN that opens it, collections and their documents (specification sections 2 to 7, decisions 4).
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { limits } from './limits.ts'
import { timestamp } from './pieces.ts'

const bounds = limits.documents

/** Views of the real tables: seen and changed by admins only, never made or deleted here. */
export const systemCollectionNames = ['users', 'images', 'apikeys', 'backups', 'contactmessages'] as const
export type SystemCollectionName = (typeof systemCollectionNames)[number]

const sampleDocument = {
  _id: 'h2Vd6sMtOxJ9eWqAz3NyKA',
  name: 'Lisbon',
  country: 'Portugal',
  createdAt: '2026-01-31T12:00:00.000Z',
  __v: 0,
}

/** No control characters, line separators or halves of surrogate pairs; and nothing that an address would swallow. */
const isSayable = (text: string) => !/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(text) && text !== '.' && text !== '..'

export const collectionName = z
  .string()
  .min(1)
  .max(bounds.maxNameLength)
  .refine((name) => isSayable(name) && name.trim() === name, 'must have no control characters and no space at its ends')
  .meta({ description: `1 to ${bounds.maxNameLength} characters`, examples: ['destinations'] })
export const documentId = z
  .string()
  .min(1)
  .max(bounds.maxIdLength)
  .refine(isSayable, 'must have no control characters')
  .meta({ examples: [sampleDocument._id] })

export const document = z
  .looseObject({
    _id: z.string(),
    createdAt: timestamp,
    __v: z.number().int().optional().describe('Grows with every change. System collections have none'),
  })
  .meta({ id: 'Document', examples: [sampleDocument] })
export type Document = z.infer<typeof document>

const given = z
  .looseObject({})
  .meta({ description: 'Any JSON object', examples: [{ name: 'Lisbon', country: 'Portugal' }] })
const whole = (pattern: RegExp, min: number, max: number, byDefault: number, description: string) =>
  z
    .string()
    .regex(pattern, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .pipe(z.number().min(min, `must be from ${min} to ${max}`).max(max, `must be from ${min} to ${max}`))
    .optional()
    .meta({ openapi: { type: 'integer', minimum: min, maximum: max, default: byDefault, description } })

const headers = z.object({
  'x-db-token': z
    .string()
    .optional()
    // Who sends none is told that the view is locked, not that a field is wrong.
    .meta({ description: 'From POST /db/unlock', examples: ['YOUR_DB_TOKEN'], 'x-needed': true }),
})
const ifMatch = z
  .string()
  .regex(/^(?:\*|\d{1,9}|(?:W\/)?"\d{1,9}")$/, 'must be the __v of the document')
  .transform((given) => (given === '*' ? undefined : Number(/\d+/.exec(given)?.[0])))
  .optional()
  .meta({ description: 'The __v that was read, bare or as an entity tag', examples: ['0'] })
const unlocked = { category: 'database', access: 'user', headers, status: 200 } as const
const name = z.strictObject({ name: collectionName })
const done = z.strictObject({ success: z.literal(true) })
const always = ['forbidden', 'database_locked', 'api_key_not_enough'] as const

export const dbBrowser = {
  unlockDatabase: endpoint({
    summary: 'Open the database view with its PIN',
    description:
      `The token goes into X-DB-Token of every other /db call. It lives ${limits.pin.unlockMs / 60_000} minutes and ends with ` +
      `the session. ${limits.pin.triesBeforeLock} wrong PINs lock the next try for 15 minutes, then for twice as long each time.`,
    category: 'database',
    access: 'user',
    body: z.strictObject({
      pin: z
        .string()
        .regex(new RegExp(`^\\d{${limits.databasePinDigits}}$`), 'must be 4 digits')
        .meta({ examples: ['1234'] }),
    }),
    status: 200,
    reply: z.strictObject({
      token: z.string().meta({ examples: ['Yb5hT2...'] }),
      expiresInSeconds: z
        .number()
        .int()
        .meta({ examples: [limits.pin.unlockMs / 1000] }),
    }),
    failures: ['forbidden', 'wrong_pin', 'pin_locked', 'pin_off', 'api_key_not_enough', 'busy'],
  }),
  lockDatabase: endpoint({
    ...unlocked,
    summary: 'Lock the database view again, in every tab of this session',
    reply: done,
    failures: always,
  }),
  listCollections: endpoint({
    ...unlocked,
    summary: 'The names of all collections',
    description: 'System collections are listed for admins only.',
    reply: z.strictObject({
      collections: z.array(z.string()).meta({ examples: [['destinations', 'makes', 'models', 'users']] }),
      system: z.array(z.string()).meta({
        description: 'Which of them are system collections: these cannot be deleted',
        examples: [['users']],
      }),
    }),
    failures: always,
  }),
  deleteCollection: endpoint({
    ...unlocked,
    summary: 'Delete a collection with all its documents',
    description:
      'They are saved in a file of the server first: its operator can bring the last 5 deleted collections back.',
    params: name,
    reply: done,
    failures: [...always, 'collection_not_found', 'system_collection', 'no_space_for_backup'],
  }),
  listDocuments: endpoint({
    ...unlocked,
    summary: 'The documents of a collection, a page at a time',
    description: 'Oldest first; system collections newest first.',
    params: name,
    query: z.strictObject({
      limit: whole(/^\d{1,3}$/, 1, bounds.maxLimit, bounds.defaultLimit, 'Documents to a page'),
      skip: whole(/^\d{1,9}$/, 0, bounds.maxSkip, 0, 'Documents to leave out: (page - 1) x limit'),
    }),
    reply: z.strictObject({
      documents: z.array(document),
      page: z
        .number()
        .int()
        .meta({ description: 'From 1', examples: [1] }),
      total: z
        .number()
        .int()
        .meta({ description: 'Of all pages', examples: [1] }),
      limit: z
        .number()
        .int()
        .meta({ examples: [bounds.defaultLimit] }),
      totalPages: z
        .number()
        .int()
        .meta({ examples: [1] }),
    }),
    failures: [...always, 'collection_not_found'],
  }),
  createDocuments: endpoint({
    ...unlocked,
    summary: 'Add documents to a collection, which is made when it is not there',
    description:
      'One document or a list: all of them are added or none. A given _id (text, number or {"$oid"}) is kept, else one is made. ' +
      "MongoDB's extended JSON ($oid, $date, $numberLong ...) becomes plain texts, dates and numbers.",
    params: name,
    body: z.union(
      [given, z.array(given).min(1).max(bounds.maxPerInsert)],
      `must be a document or a list of 1 to ${bounds.maxPerInsert} documents`,
    ),
    status: 201,
    reply: z.strictObject({
      inserted: z
        .number()
        .int()
        .meta({ examples: [1] }),
      ids: z.array(z.string()).meta({ examples: [[sampleDocument._id]] }),
    }),
    failures: [...always, 'collection_not_found', 'system_collection', 'document_exists', 'body_too_large'],
  }),
  getDocument: endpoint({
    ...unlocked,
    summary: 'One document',
    params: name.extend({ id: documentId }),
    reply: z.strictObject({ document }),
    failures: [...always, 'collection_not_found', 'document_not_found'],
  }),
  updateDocument: endpoint({
    ...unlocked,
    summary: 'Change fields of a document',
    description:
      'Send the edited fields; the others stay. With If-Match and the __v that was read, a document that was changed meanwhile ' +
      'is left alone (409). In system collections only some fields can be changed, by the rules of the rest of this API.',
    params: name.extend({ id: documentId }),
    headers: headers.extend({ 'if-match': ifMatch }),
    body: given,
    reply: z.strictObject({ document }),
    failures: [
      ...always,
      'collection_not_found',
      'document_not_found',
      'document_changed',
      'body_too_large',
      'own_account',
      'last_admin',
      'image_gone',
    ],
  }),
  deleteDocuments: endpoint({
    ...unlocked,
    summary: 'Delete documents of a collection',
    description: 'Deleting images documents deletes the pictures; deleting users follows the rules of accounts.',
    params: name,
    body: z.strictObject({ ids: z.array(documentId).min(1).max(bounds.maxIds).describe(`1 to ${bounds.maxIds}`) }),
    reply: z.strictObject({
      deleted: z
        .number()
        .int()
        .meta({ examples: [1] }),
    }),
    failures: [...always, 'collection_not_found', 'own_account', 'last_admin', 'backup_running'],
  }),
}
