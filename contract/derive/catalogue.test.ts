import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { api } from '../endpoints/api.ts'
import { buildCatalogue } from './catalogue.ts'
import { type CompatName, compatRoutes } from '../compat/routes.ts'
import { compatApi } from '../compat/api.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import type { EndpointDoc } from './endpoint-doc.ts'
import { type RouteName, routes } from '../plain/routes.ts'

const endpoints: Record<RouteName | CompatName, Endpoint> = { ...api, ...compatApi }
const catalogue = buildCatalogue()
const find = (name: RouteName) => catalogue.find((doc) => doc.name === name)!
const asText = (sample: unknown) => (typeof sample === 'string' ? sample : JSON.stringify(sample))
const names = (fields: EndpointDoc['body']) => fields.map(({ name }) => name)

describe('the catalogue', () => {
  it('has every endpoint once, with a unique id', () => {
    expect(Object.fromEntries(catalogue.map(({ name, method, path }) => [name, `${method} ${path}`]))).toEqual({
      ...routes,
      ...compatRoutes,
    })
    expect(new Set(catalogue.map(({ id }) => id)).size).toBe(catalogue.length)
    for (const { id } of catalogue) expect(id).toMatch(/^[a-z0-9-]+$/)
    expect(find('uploadImage').id).toBe('post-api-upload')
  })

  it.each(catalogue)('$name has samples that the contract accepts', (doc) => {
    const { response, body, query, params }: Endpoint = endpoints[doc.name]
    if (response instanceof z.ZodType) expect(response.parse(doc.sampleResponse)).toEqual(doc.sampleResponse)
    else expect(doc).not.toHaveProperty('sampleResponse')
    if (body) expect(() => body.parse(doc.sampleBody ?? {})).not.toThrow()
    // Values in URLs are strings.
    for (const [schema, fields] of [
      [params, doc.params],
      [query, doc.query],
    ] as const) {
      const given = fields.flatMap(({ name, sample }) => (sample === undefined ? [] : [[name, asText(sample)]]))
      if (schema) expect(() => schema.parse(Object.fromEntries(given))).not.toThrow()
    }
  })

  it('is plain JSON', () => {
    expect(JSON.parse(JSON.stringify(catalogue))).toEqual(catalogue)
  })

  it('names the type of every field', () => {
    const types = catalogue.flatMap(({ params, query, headers, body }) =>
      [params, query, headers, body].flat().map(({ type }) => type),
    )
    expect([...new Set(types)].sort()).toMatchInlineSnapshot(`
      [
        ""1.0.0"",
        ""public-key"",
        ""root"",
        "1",
        "any",
        "array of object",
        "array of one of image.uploaded, image.expiring, image.expired, image.deleted, image.restored, image.reported",
        "array of one of upload, read, manage",
        "array of string",
        "boolean",
        "file",
        "integer",
        "integer or null",
        "number",
        "object",
        "one of Active, Inactive",
        "one of auto, avif, webp, jpeg, png",
        "one of cover, contain, inside",
        "one of cover, contain, inside, scale-down",
        "one of dismiss, quarantine, remove, block",
        "one of folder, file",
        "one of grey, red, orange, yellow, green, teal, blue, purple, pink or null",
        "one of illegal, copyright, personal_data, harassment, spam, other",
        "one of json, txt, redirect",
        "one of keep, delete",
        "one of keep, remove",
        "one of login, login_failed, identity_confirmed, session_ended, logout_everywhere, factor_added, factor_removed, recovery_codes_created, identity_linked, identity_unlinked, password_changed, email_confirmed, user_created, user_updated, role_changed, status_changed, quota_changed, deletion_requested, deletion_cancelled, own_data_downloaded, user_deleted, invite_created, invite_deleted, api_key_created, api_key_updated, api_key_deleted, webhook_created, webhook_updated, webhook_deleted, webhook_secret_rotated, webhook_switched_off, image_deleted, image_expired, image_restored, trash_emptied, image_updated, link_created, link_updated, link_deleted, member_invited, member_updated, member_removed, album_deleted, image_quarantined, quarantine_lifted, image_blocked, report_decided, block_added, block_removed, refused_by_block, database_unlocked, pin_failed, pin_reset, documents_added, document_changed, documents_deleted, collection_deleted, backup_created, backup_downloaded, backup_deleted, backup_restored, cleanup_run, import_started, export_started, instance_copied, settings_changed, audit_exported",
        "one of name, images",
        "one of ndjson, csv",
        "one of newest, oldest, expiry, expiry_desc, largest, smallest, name, name_desc, views, views_asc",
        "one of newest, oldest, name, size",
        "one of open, decided",
        "one of open, waiting, ended, revoked",
        "one of png, jpeg, webp, gif, svg",
        "one of public, private",
        "one of public, private or null",
        "one of quarantine, restore, remove, block",
        "one of true, false",
        "one of user, admin",
        "one of view, add, manage",
        "quarantined",
        "soon",
        "string",
        "string or integer",
        "string or null",
        "string or number",
      ]
    `)
  })

  it('lists the fields of nested lists and objects', () => {
    expect(names(find('claimImages').body)).toEqual([
      'images',
      'images[].id',
      'images[].token',
      'albums',
      'albums[].id',
      'albums[].token',
    ])
    expect(names(find('sendEmail').body)).toContain('template_params.subject')
    expect(find('createDocuments').body).toMatchObject([{ name: '*', description: 'Any JSON object' }])
  })

  it('distinguishes forms from JSON bodies', () => {
    expect(find('uploadImage')).toMatchObject({
      bodyKind: 'multipart',
      body: [
        { name: 'image', type: 'file', required: true },
        { name: 'expires_in', type: 'string or integer', required: false },
        { name: 'filename', type: 'string', required: false },
        { name: 'title', type: 'string', required: false },
        { name: 'alt', type: 'string', required: false },
        { name: 'tags', type: 'string', required: false },
        { name: 'album', type: 'string', required: false },
        { name: 'max_views', type: 'string or integer', required: false },
        { name: 'visibility', type: 'one of public, private', required: false },
        { name: 'url', type: 'string', required: false },
      ],
    })
    expect(find('uploadImage')).not.toHaveProperty('sampleBody')
    expect(find('sendEmailForm').bodyKind).toBe('multipart')
    expect(find('sendEmail').bodyKind).toBe('json')
    expect(find('getMe').bodyKind).toBe('none')
  })

  it('states which credentials each endpoint accepts', () => {
    expect(find('getImage')).toMatchObject({ access: 'public', keyScope: 'read', guestToken: true })
    expect(names(find('getImage').headers)).toEqual(['X-Guest-Token'])
    expect(find('uploadImage')).toMatchObject({ keyScope: 'upload', guestToken: false })
    expect(find('claimImages')).not.toHaveProperty('keyScope')
    expect(find('listCollections').headers).toMatchObject([{ name: 'X-DB-Token', required: true }])
    expect(find('updateDocument').headers[1]).toMatchObject({ name: 'If-Match', required: false })
  })

  it('lists every failure with its status, lowest first', () => {
    const { failures } = find('updateUser')
    expect(failures.map(({ status }) => status)).toEqual(failures.map(({ status }) => status).toSorted((a, b) => a - b))
    expect(failures).toContainEqual({ status: 404, code: 'user_not_found', text: 'User not found' })
  })
})
