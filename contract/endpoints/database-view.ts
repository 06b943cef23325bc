// The database browser: its PIN, collections and their documents (docs/behaviour.md, "Database view").
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { limits } from '../plain/limits.ts'
import { example, done, numberText, timestamp, wholeNumber } from './schema-parts.ts'

const bounds = limits.documents

/** Views of the real tables: only admins read and edit them; they cannot be created or deleted. */
export const systemCollectionNames = ['users', 'images', 'apikeys', 'backups', 'contactmessages'] as const
export type SystemCollectionName = (typeof systemCollectionNames)[number]

const sampleDocument = {
  _id: 'h2Vd6sMtOxJ9eWqAz3NyKA',
  name: 'Lisbon',
  country: 'Portugal',
  createdAt: '2026-01-31T12:00:00.000Z',
  __v: 0,
}

/** No control characters, line separators or lone surrogates; and not `.` or `..`, which URL parsers remove. */
const isPrintable = (text: string) => !/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(text) && text !== '.' && text !== '..'

export const collectionName = z
  .string()
  .min(1)
  .max(bounds.maxNameLength)
  .refine(
    (name) => isPrintable(name) && name.trim() === name,
    'must not contain control characters or start or end with a space',
  )
  .meta(example('destinations', `1 to ${bounds.maxNameLength} characters`))
export const documentId = z
  .string()
  .min(1)
  .max(bounds.maxIdLength)
  .refine(isPrintable, 'must not contain control characters')
  .meta(example(sampleDocument._id))

export const document = z
  .looseObject({
    _id: z.string(),
    createdAt: timestamp,
    __v: z.number().int().optional().describe('Grows by one with each change. Not in system collections'),
  })
  .meta({ id: 'Document', examples: [sampleDocument] })
export type Document = z.infer<typeof document>

const given = z.looseObject({}).meta(example({ name: 'Lisbon', country: 'Portugal' }, 'Any JSON object'))

const headers = z.object({
  'x-db-token': z
    .string()
    .optional()
    // Optional here: a request without it fails with database_locked, not with invalid_input.
    .meta({ description: 'From POST /db/unlock', examples: ['YOUR_DB_TOKEN'], 'x-required': true }),
})
const ifMatch = z
  .string()
  .regex(/^(?:\*|\d{1,9}|(?:W\/)?"\d{1,9}")$/, 'must be the __v of the document')
  .transform((given) => (given === '*' ? undefined : Number(/\d+/.exec(given)?.[0])))
  .optional()
  .meta(example('0', 'The __v that you read, bare or as an entity tag'))
const unlocked = { category: 'database', access: 'user', headers } as const
const name = z.strictObject({ name: collectionName })
const always = ['forbidden', 'database_locked', 'api_key_not_enough'] as const

export const databaseView = {
  unlockDatabase: endpoint({
    summary: 'Unlock the database view with its PIN',
    description: `Send the token in X-DB-Token with other /db requests. It expires after ${limits.pin.unlockMs / 60_000} minutes and with the session. ${limits.pin.triesBeforeLock} wrong PINs block further tries for 15 minutes, then twice as long each time.`,
    category: 'database',
    access: 'user',
    body: z.strictObject({
      pin: z
        .string()
        .regex(new RegExp(`^\\d{${limits.databasePinDigits}}$`), 'must be 4 digits')
        .meta(example('1234')),
    }),
    response: z.strictObject({
      token: z.string().meta(example('Yb5hT2...')),
      expiresInSeconds: wholeNumber(limits.pin.unlockMs / 1000),
    }),
    failures: ['forbidden', 'wrong_pin', 'pin_locked', 'pin_off', 'api_key_not_enough', 'busy'],
  }),
  lockDatabase: endpoint({
    ...unlocked,
    summary: 'Lock the database view, in all tabs of this session',
    response: done,
    failures: always,
  }),
  listCollections: endpoint({
    ...unlocked,
    summary: 'List collections',
    description: 'Only admins see system collections.',
    response: z.strictObject({
      collections: z.array(z.string()).meta(example(['destinations', 'makes', 'models', 'users'])),
      system: z
        .array(z.string())
        .meta(example(['users'], 'The system collections among them, which cannot be deleted')),
    }),
    failures: always,
  }),
  deleteCollection: endpoint({
    ...unlocked,
    summary: 'Delete a collection and all its documents',
    description: 'The operator can restore them from a file on the server.',
    params: name,
    response: done,
    failures: [...always, 'collection_not_found', 'system_collection', 'no_space_for_backup'],
  }),
  listDocuments: endpoint({
    ...unlocked,
    summary: 'List the documents of a collection',
    description: 'Paginated. Oldest first; system collections newest first.',
    params: name,
    query: z.strictObject({
      limit: numberText(3, 1, bounds.maxLimit, {
        default: bounds.defaultLimit,
        description: 'Documents per page',
      }).optional(),
      skip: numberText(9, 0, bounds.maxSkip, {
        default: 0,
        description: '(page - 1) x limit',
      }).optional(),
    }),
    response: z.strictObject({
      documents: z.array(document),
      page: wholeNumber(1).describe('Page number, from 1'),
      total: wholeNumber(1).describe('Number of documents on all pages'),
      limit: wholeNumber(bounds.defaultLimit),
      totalPages: wholeNumber(1),
    }),
    failures: [...always, 'collection_not_found'],
  }),
  createDocuments: endpoint({
    ...unlocked,
    summary: 'Add documents to a collection',
    description:
      'One or a list, in one transaction. Creates a missing collection, and an _id unless there is one (string, number or {"$oid"}). Extended JSON of MongoDB ($oid, $date, $numberLong ...) becomes strings, dates and numbers.',
    params: name,
    maxBodyBytes: limits.json.maxLongBodyBytes,
    body: z.union(
      [given, z.array(given).min(1).max(bounds.maxPerInsert)],
      `must be a document or a list of 1 to ${bounds.maxPerInsert} documents`,
    ),
    status: 201,
    response: z.strictObject({
      inserted: wholeNumber(1),
      ids: z.array(z.string()).meta(example([sampleDocument._id])),
    }),
    failures: [
      ...always,
      'collection_not_found',
      'system_collection',
      'document_exists',
      'body_too_large',
      'documents_full',
      'storage_full',
    ],
  }),
  getDocument: endpoint({
    ...unlocked,
    summary: 'Get a document',
    params: name.extend({ id: documentId }),
    response: z.strictObject({ document }),
    failures: [...always, 'collection_not_found', 'document_not_found'],
  }),
  updateDocument: endpoint({
    ...unlocked,
    summary: 'Update fields of a document',
    description:
      'Send only the changed fields. If-Match with the __v that you read protects changes made in between (409). In system collections only some fields can be changed, by the rules of the rest of the API.',
    params: name.extend({ id: documentId }),
    headers: headers.extend({ 'if-match': ifMatch }),
    maxBodyBytes: limits.json.maxLongBodyBytes,
    body: given,
    response: z.strictObject({ document }),
    failures: [
      ...always,
      'collection_not_found',
      'document_not_found',
      'document_changed',
      'password_required',
      'body_too_large',
      'documents_full',
      'storage_full',
      'own_account',
      'last_admin',
      'image_gone',
    ],
  }),
  deleteDocuments: endpoint({
    ...unlocked,
    summary: 'Delete documents of a collection',
    description:
      'Documents of images take their files along; those of users follow the rules of DELETE /api/users/{userId}.',
    params: name,
    body: z.strictObject({ ids: z.array(documentId).min(1).max(bounds.maxIds).describe(`1 to ${bounds.maxIds}`) }),
    response: z.strictObject({ deleted: wholeNumber(1) }),
    failures: [...always, 'collection_not_found', 'password_required', 'own_account', 'last_admin', 'backup_running'],
  }),
}
