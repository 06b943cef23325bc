// API keys: bearer credentials for uploading and managing images from server code
// (docs/api.md).
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { accountLimits } from '../plain/account-limits.ts'
import { example, cleanedName, confirmation, done, omitted, requestedId, sampleIds, timestamp } from './schema-parts.ts'
import { scopes } from '../plain/scopes.ts'
import { visibilities } from '../plain/visibility.ts'

const sampleId = 'c9Rw3yNfQiD6uBgMs2KoTA'

const scope = z.enum(scopes)
const expiry = z.iso.datetime({ offset: true }).meta(example('2027-01-31T12:00:00.000Z'))
const uploadsPerHour = z.number().int().min(1).max(accountLimits.apiKeys.maxUploadsPerHour).meta(example(60))
const maxBytes = z.number().int().min(1).max(accountLimits.apiKeys.maxTotalBytes).meta(example(1_073_741_824))

const listed = z
  .strictObject({
    id: z.string().meta(example(sampleId)),
    name: z.string().meta(example('My app')),
    prefix: z
      .string()
      .meta(example('ik_Xk3Zv', `The first ${accountLimits.apiKeys.prefixLength} characters of the key`)),
    createdAt: timestamp,
    created_at: timestamp.describe('The same as createdAt'),
    scopes: z.array(scope).meta(example(['upload'], 'What the key may do')),
    expiresAt: expiry.nullable().describe('null: never'),
    uploadsPerHour: uploadsPerHour.nullable().describe('null: no limit'),
    maxBytes: maxBytes.nullable().describe('Bytes that it may upload in total; null: no limit'),
    uploadedBytes: z.number().int().meta(example(482_040, 'Bytes that it has uploaded, deleted images included')),
    uploadVisibility: z
      .enum(visibilities)
      .nullable()
      .meta(example(null, 'For uploads that name none; null: as the account has it')),
    albumId: z.string().nullable().meta(example(null, 'The album of its uploads')),
    lastUsed: timestamp.nullable().describe('null: never'),
    lastUsedFrom: z
      .string()
      .nullable()
      .meta(example('203.0.113.0/24', 'The network of the last use: /24 for IPv4, /48 for IPv6')),
  })
  .meta({ id: 'ApiKey' })
export type ApiKey = z.infer<typeof listed>

const created = listed
  .extend({
    key: z.string().meta(example('ik_Xk3Zv...', 'The complete key')),
  })
  .meta({ id: 'NewApiKey' })
export type NewApiKey = z.infer<typeof created>

const byUser = { category: 'api-keys', access: 'user' } as const

export const apiKeys = {
  createApiKey: endpoint({
    ...byUser,
    summary: 'Create an API key',
    description: `At most ${accountLimits.apiKeys.maxPerUser} per user. Only this response contains the complete key.`,
    body: z.strictObject({
      name: cleanedName(accountLimits.apiKeys.maxNameLength).optional().meta(example('My app', "Default 'API key'")),
      scopes: z
        .array(scope)
        .min(1)
        .max(scopes.length)
        .optional()
        .meta(
          example(
            ['upload'],
            'upload: add images. read: list and read your images. manage: also extend, delete and restore them. Default manage',
          ),
        ),
      expiresAt: expiry.optional().describe('Default: never').meta(omitted),
      uploadsPerHour: uploadsPerHour.optional().describe('Default: no limit').meta(omitted),
      maxBytes: maxBytes.optional().describe('Bytes that it may upload in total. Default: no limit').meta(omitted),
      uploadVisibility: z
        .enum(visibilities)
        .optional()
        .describe('For uploads that name none. Default: as the account has it')
        .meta(omitted),
      albumId: requestedId(sampleIds.album)
        .optional()
        .describe('The album of all its uploads. The key outlives it')
        .meta(omitted),
      ...confirmation(),
    }),
    status: 201,
    response: created.extend({ success: z.literal(true), apiKey: created }),
    failures: [
      'too_many_api_keys',
      'wrong_password',
      'password_required',
      'busy',
      'api_key_not_enough',
      'album_not_found',
      'album_role',
      'album_is_live',
    ],
  }),
  listApiKeys: endpoint({
    ...byUser,
    summary: 'List your API keys, newest first',
    response: z.array(listed),
    failures: ['api_key_not_enough'],
  }),
  deleteApiKey: endpoint({
    ...byUser,
    summary: 'Revoke an API key, effective immediately',
    params: z.strictObject({ id: requestedId(sampleId) }),
    response: done,
    failures: ['api_key_not_found', 'api_key_not_enough'],
  }),
}
