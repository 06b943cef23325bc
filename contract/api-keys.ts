// API keys: bearer credentials for uploading and managing images from server code (docs/specification.md section 6).
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { limits } from './limits.ts'
import { cleanedName, done, requestedId, timestamp } from './schema-parts.ts'

const sampleId = 'c9Rw3yNfQiD6uBgMs2KoTA'

const listed = z
  .strictObject({
    id: z.string().meta({ examples: [sampleId] }),
    name: z.string().meta({ examples: ['My app'] }),
    prefix: z.string().meta({
      description: `The first ${limits.apiKeys.prefixLength} characters of the key`,
      examples: ['ik_Xk3Zv'],
    }),
    createdAt: timestamp,
    created_at: timestamp.describe('The same as createdAt'),
    lastUsed: timestamp.nullable().describe('null: never'),
  })
  .meta({ id: 'ApiKey' })
export type ApiKey = z.infer<typeof listed>

const created = listed
  .extend({
    key: z
      .string()
      .meta({ description: 'The complete key, returned only in this response', examples: ['ik_Xk3Zv...'] }),
  })
  .meta({ id: 'NewApiKey' })
export type NewApiKey = z.infer<typeof created>

export const apiKeys = {
  createApiKey: endpoint({
    summary: 'Create an API key',
    description: `At most ${limits.apiKeys.maxPerUser} per user. Only this response contains the complete key.`,
    category: 'api-keys',
    access: 'user',
    body: z.strictObject({
      name: cleanedName(limits.apiKeys.maxNameLength)
        .optional()
        .meta({ description: "Default 'API key'", examples: ['My app'] }),
    }),
    status: 201,
    response: created.extend({ success: z.literal(true), apiKey: created }),
    failures: ['too_many_api_keys', 'api_key_not_enough'],
  }),
  listApiKeys: endpoint({
    summary: 'List your API keys, newest first',
    category: 'api-keys',
    access: 'user',
    status: 200,
    response: z.array(listed),
    failures: ['api_key_not_enough'],
  }),
  deleteApiKey: endpoint({
    summary: 'Revoke an API key, effective immediately',
    category: 'api-keys',
    access: 'user',
    params: z.strictObject({ id: requestedId(sampleId) }),
    status: 200,
    response: done,
    failures: ['api_key_not_found', 'api_key_not_enough'],
  }),
}
