// The tools of the MCP endpoint: the domain functions of the API, as the scopes of the key allow.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type CallToolResult, createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { formatNames } from '../../../contract/plain/formats.ts'
import type { Album } from '../../../contract/endpoints/albums.ts'
import { cleanName } from '../../../contract/plain/clean-name.ts'
import { type Image, images, type UploadedImage } from '../../../contract/endpoints/images.ts'
import { linkEndpoints } from '../../../contract/endpoints/links.ts'
import { parseImageQuery, problemText, queryOperators } from '../../../contract/plain/image-query.ts'
import { imageSorts } from '../../../contract/plain/image-sorts.ts'
import { limits } from '../../../contract/plain/limits.ts'
import { normalizeTags } from '../../../contract/plain/tag-names.ts'
import type { Scope } from '../../../contract/plain/scopes.ts'
import { visibilities, type Visibility } from '../../../contract/plain/visibility.ts'
import { addToAlbum } from '../../domain/albums/change-album-images.ts'
import { listAlbumImages } from '../../domain/albums/list-album-images.ts'
import { createAlbum, listAlbums } from '../../domain/albums/albums.ts'
import { recordingBlockRefusals } from '../../domain/moderation/block-refusals.ts'
import { assertNetworkNotBlocked } from '../../domain/moderation/blocked-networks.ts'
import type { UserCaller } from '../../domain/shared/caller.ts'
import type { Deps, RequestContext } from '../../domain/shared/deps.ts'
import { Failure } from '../../domain/shared/failure.ts'
import { admitUpload, wasNotTaken } from '../../domain/uploads/admission.ts'
import { reserveSpace } from '../../domain/uploads/reserved-space.ts'
import { analyzeImage } from '../../domain/delivery/image-analysis.ts'
import { listImages } from '../../domain/images/lists/list-images.ts'
import { createViewKey } from '../../domain/images/change-visibility.ts'
import { extendImage } from '../../domain/images/expiry/extend-image.ts'
import { deleteImage } from '../../domain/images/deletion/delete-image.ts'
import { updateImage } from '../../domain/images/update-image.ts'
import { createLink } from '../../domain/links/links.ts'
import { listLinks } from '../../domain/links/list-links.ts'
import { tagImages } from '../../domain/images/tags/tag-images.ts'
import { listTags } from '../../domain/images/tags/tag-list.ts'
import { fetchRemoteImage } from '../../domain/uploads/remote-image.ts'
import { uploadImage } from '../../domain/uploads/upload-one.ts'
import type { ReceivedFile } from '../../domain/uploads/upload-request.ts'
import { maxEncodedBytes } from '../uploads/encoded-image.ts'
import { makeUploadFolder } from '../../domain/uploads/upload-folder.ts'

export interface McpCall extends RequestContext<UserCaller> {
  ip: string | undefined
  /** Of a large body, which counts as an upload before it is read. */
  admission?: Awaited<ReturnType<typeof admitUpload>>
  /** Ends the reservation of the disk for it: its tool reserves what the image takes. */
  releaseBody?: () => void
}

export type McpEndpoint = (request: Request, body: unknown, call: McpCall) => Promise<Response>

const version = '1.0.0'

/** Each request gets a server of its own, with the tools that its key may use. */
export function openMcpEndpoint(deps: Deps): McpEndpoint {
  const calls = new WeakMap<Request, McpCall>()
  const handler = createMcpHandler(
    ({ requestInfo }) => {
      const call = requestInfo && calls.get(requestInfo)
      if (!call) throw new Error('The request of an MCP server is unknown')
      return serverFor(deps, call)
    },
    // Nothing notifies, so that no stream is worth a connection.
    { maxSubscriptions: 0 },
  )
  return (request, parsedBody, call) => {
    calls.set(request, call)
    return handler.fetch(request, { parsedBody })
  }
}

const id = z.string().min(1).max(200).describe('The id of the image')
const limit = z.number().int().min(1).max(limits.list.maxLimit).optional().describe('Images per page, 20 by default')
const cursor = z.string().max(limits.list.maxCursorLength).optional().describe('next_cursor of the previous page')
const tagList = z.array(z.string().max(4 * limits.tags.maxLength)).max(limits.tags.maxPerImage)
const albumImages = z.array(id).min(1).max(limits.albums.maxImages)
const defaultLimit = 20

function serverFor(deps: Deps, call: McpCall): McpServer {
  const server = new McpServer({ name: deps.config.SITE_NAME, version })
  const { by } = call.caller
  const may = (scope: Scope) => 'apiKeyId' in by && by.grant.scopes.includes(scope)
  const managed = { ...call, guestToken: undefined }

  if (may('upload')) {
    const input = z.strictObject({
      data: z.string().optional().describe('The image in base64. For small images'),
      url: z.string().optional().describe('The http or https address of the image, instead of data'),
      name: z.string().max(1000).optional().describe('The name of the file'),
      expires_in: images.uploadImage.body.shape.expires_in,
      visibility: z
        .enum(visibilities)
        .optional()
        .describe(
          'private: its addresses need a key, as of create_view_key. Default: as the API key or account has it',
        ),
      tags: tagList.optional().describe('Tags of the image, such as travel/italy'),
      album: id.optional().describe('The id of the album that it is added to'),
    })
    server.registerTool(
      'upload_image',
      {
        description: `Uploads an image and returns its URL. At most ${Math.min(deps.config.USER_MAX_BYTES, limits.mcp.maxDataBytes)} bytes`,
        // Not offered when it would be refused.
        inputSchema: deps.config.UPLOAD_BY_URL ? input : (input.omit({ url: true }) as unknown as typeof input),
      },
      (given) => result(deps, () => upload(deps, call, given)),
    )
    server.registerTool(
      'create_album',
      {
        description:
          'Creates an album, with images of the account, or with a query: then it always has what the query finds',
        inputSchema: z.strictObject({
          title: z.string().min(1).max(limits.albums.maxTitleLength),
          description: z.string().max(limits.albums.maxDescriptionLength).optional(),
          parent_id: id.optional().describe('The album that it is to be in'),
          query: z.string().max(limits.list.maxQueryLength).optional().describe('As of search_images'),
          images: albumImages.optional(),
        }),
      },
      (body) =>
        result(deps, async () => {
          const title = cleanName(body.title.trim())
          if (title === '') throw new Failure('invalid_input', { field: 'title', problem: 'must not be empty' })
          return createAlbum(deps, { ...call, body: { ...body, title } })
        }),
    )
    server.registerTool(
      'add_to_album',
      {
        description: 'Adds images of the account to an album. Those that it has are skipped',
        inputSchema: z.strictObject({ album: id.describe('The id of the album'), ids: albumImages }),
        annotations: { idempotentHint: true },
      },
      ({ album, ids }) => result(deps, () => addToAlbum(deps, { ...call, params: { id: album }, body: { ids } })),
    )
  }
  if (may('read')) {
    server.registerTool(
      'list_albums',
      {
        description: 'Lists the albums of the account, newest first, and those that it is a member of',
        inputSchema: z.strictObject({}),
        annotations: { readOnlyHint: true },
      },
      () => result(deps, async () => ({ albums: (await listAlbums(deps, call)).items.map(summaryOfAlbum) })),
    )
    server.registerTool(
      'list_album_images',
      {
        description: 'Lists the images of an album, in its order',
        inputSchema: z.strictObject({ album: id.describe('The id of the album'), limit, cursor }),
        annotations: { readOnlyHint: true },
      },
      ({ album, ...page }) =>
        result(deps, async () => {
          const query = { limit: defaultLimit, cursor: undefined, ...page }
          return pageOf(await listAlbumImages(deps, { ...call, params: { id: album }, query }))
        }),
    )
    server.registerTool(
      'list_images',
      {
        description: 'Lists the images of the account, newest first unless sorted otherwise',
        inputSchema: z.strictObject({
          limit,
          cursor,
          sort: z.enum(imageSorts).optional(),
          type: z.enum(formatNames).optional(),
          expires: z.enum(['soon']).optional().describe('soon: only those that expire within 7 days'),
          visibility: z.enum(visibilities).optional().describe('Only public or only private images'),
        }),
        annotations: { readOnlyHint: true },
      },
      (query) => result(deps, () => list(deps, call, query)),
    )
    server.registerTool(
      'search_images',
      {
        description:
          'Finds images of the account by a part of their name, title or alternative text, and by terms that must all apply: ' +
          Object.values(queryOperators)
            .map(({ example }) => example)
            .join(', '),
        inputSchema: z.strictObject({ query: z.string().min(1).max(limits.list.maxQueryLength), limit, cursor }),
        annotations: { readOnlyHint: true },
      },
      ({ query: q, ...page }) =>
        result(deps, () => {
          const { problem } = parseImageQuery(q)
          if (problem) throw new Failure('invalid_input', { field: 'query', problem: problemText(problem) })
          return list(deps, call, { ...page, q })
        }),
    )
    server.registerTool(
      'list_links',
      {
        description: 'Lists the links through which albums and images of the account are shared, newest first',
        inputSchema: z.strictObject({
          album: id.optional().describe('Only links to the album with this id'),
          image: id.optional().describe('Only links that name the image with this id'),
          limit: limit.describe('Links per page, 20 by default'),
          cursor,
        }),
        annotations: { readOnlyHint: true },
      },
      (query) =>
        result(deps, async () => {
          const { items, total, nextCursor } = await listLinks(deps, {
            ...call,
            query: { limit: defaultLimit, ...query },
          })
          return { links: items, total, next_cursor: nextCursor }
        }),
    )
    server.registerTool(
      'list_tags',
      {
        description: 'Lists the tags of the account, with how many images have them',
        inputSchema: z.strictObject({
          query: z.string().max(limits.tags.maxLength).optional().describe('A part of the tag'),
          limit: limit.describe('Tags per page, 20 by default'),
          cursor,
        }),
        annotations: { readOnlyHint: true },
      },
      ({ query: q, ...page }) =>
        result(deps, async () => {
          const { items, total, nextCursor } = await listTags(deps, {
            ...call,
            query: { limit: defaultLimit, ...page, q },
          })
          return { tags: items, total, next_cursor: nextCursor }
        }),
    )
    server.registerTool(
      'analyze_image',
      {
        description: 'Returns dimensions, colours and tips for smaller files of an image',
        inputSchema: z.strictObject({ id }),
        annotations: { readOnlyHint: true },
      },
      (params) => result(deps, () => analyzeImage(deps, { ...call, params, query: {} })),
    )
  }
  if (may('manage')) {
    server.registerTool(
      'extend_image',
      {
        description: `Makes an image of the account expire ${limits.extensionDays} days from now`,
        inputSchema: z.strictObject({ id }),
        annotations: { idempotentHint: true },
      },
      (params) => result(deps, () => extendImage(deps, { ...managed, params })),
    )
    server.registerTool(
      'set_visibility',
      {
        description: 'Makes an image of the account public, or private: then its addresses respond with 404',
        inputSchema: z.strictObject({ id, visibility: z.enum(visibilities) }),
        annotations: { idempotentHint: true },
      },
      ({ visibility, ...params }) =>
        result(deps, () => updateImage(deps, { ...managed, params, body: { visibility } })),
    )
    server.registerTool(
      'create_view_key',
      {
        description: 'Returns addresses of a private image that work until an end',
        inputSchema: z.strictObject({ id, expires_in: images.createViewKey.body.shape.expires_in }),
      },
      ({ expires_in, ...params }) =>
        result(deps, () => createViewKey(deps, { ...managed, params, body: { expires_in } })),
    )
    server.registerTool(
      'create_link',
      {
        description:
          'Shares an album, or some images of the account, private ones too, through a link with its own settings',
        inputSchema: linkEndpoints.createLink.body,
      },
      (body) => result(deps, () => createLink(deps, { ...call, body })),
    )
    server.registerTool(
      'tag_images',
      {
        description: 'Adds tags to images of the account, or removes them',
        inputSchema: z.strictObject({
          ids: z.array(id).min(1).max(limits.tags.maxImages),
          add: tagList.optional(),
          remove: tagList.optional(),
        }),
        annotations: { idempotentHint: true },
      },
      ({ ids, add, remove }) =>
        result(deps, () =>
          tagImages(deps, {
            ...call,
            body: { ids, add: requireTags('add', add), remove: requireTags('remove', remove) },
          }),
        ),
    )
    const trashDays = deps.config.TRASH_DAYS
    server.registerTool(
      'delete_image',
      {
        description:
          'Deletes an image of the account: its addresses end at once. Its owner can restore it ' +
          (trashDays > 0 ? `from the trash for ${trashDays} days` : 'for a minute'),
        inputSchema: z.strictObject({
          id,
          trash: z.boolean().optional().describe('false: deletes it for good, so that nobody can restore it'),
        }),
        annotations: { destructiveHint: true },
      },
      ({ trash, ...params }) =>
        result(deps, () => deleteImage(deps, { ...managed, params, query: trash === false ? {} : { trash: '1' } })),
    )
  }
  return server
}

/** @throws {Failure} invalid_input */
function requireTags(field: string, given: string[] | undefined): string[] | undefined {
  const tags = given && normalizeTags(given)
  if (given && !tags) throw new Failure('invalid_input', { field, problem: 'must be tags such as travel/italy' })
  return tags
}

/** Failures are results that the model can read; anything else is a bug and stays in the log. */
async function result(deps: Deps, run: () => Promise<object>): Promise<CallToolResult> {
  try {
    const found = await run()
    return { content: [{ type: 'text', text: JSON.stringify(found) }], structuredContent: { ...found } }
  } catch (error) {
    if (!(error instanceof Failure)) deps.log.error({ err: error }, 'A tool of the MCP endpoint failed')
    const text = error instanceof Failure ? error.message : 'Internal server error'
    return { content: [{ type: 'text', text }], isError: true }
  }
}

async function list(
  deps: Deps,
  call: McpCall,
  query: Partial<Parameters<typeof listImages>[1]['query']>,
): Promise<object> {
  return pageOf(await listImages(deps, { ...call, query: { limit: defaultLimit, cursor: undefined, ...query } }))
}

/** Without what only pages show while an image loads: a third of the text. */
const pageOf = ({ items, total, nextCursor }: Awaited<ReturnType<typeof listImages>>) => ({
  images: items.map(({ blur: _, placeholder: __, file_name: ___, ...image }: Image) => image),
  total,
  next_cursor: nextCursor,
})

interface UploadInput {
  data?: string
  url?: string
  name?: string
  /** Milliseconds. */
  expires_in?: number | 'never'
  visibility?: Visibility
  tags?: string[]
  album?: string
}

/** As POST /api/upload. @throws {Failure} as uploadImage and receiveUpload */
async function upload(
  deps: Deps,
  call: McpCall,
  { data, url, name, expires_in: expiresIn, visibility, tags, album }: UploadInput,
) {
  if ((data === undefined) === (url === undefined))
    throw new Failure('invalid_input', { field: 'data', problem: 'is required, or url, and not both' })
  const { caller, address, ip } = call
  await recordingBlockRefusals(deps, { caller, address }, () => assertNetworkNotBlocked(deps, { address, ip }))
  const announced = { caller, address, key: undefined }
  const { maxBytes, uncount } = call.admission ?? (await admitUpload(deps, announced))
  try {
    const bytes = data === undefined ? undefined : decode(data, maxBytes)
    using space = await reserveSpace(deps, announced, bytes?.length ?? 0)
    await using folder = await makeUploadFolder(deps)
    const given = { folder: folder.path, maxBytes, fetchedBy: caller.account.id }
    const file = bytes
      ? await saveImage(bytes, folder.path)
      : await fetchRemoteImage(deps, url ?? '', { ...given, reserve: (declared) => space.add(declared, 0) })
    const stored = await uploadImage(deps, {
      ...call,
      file: { ...file, name: name ?? file.name },
      body: { expires_in: expiresIn, visibility, tags: requireTags('tags', tags), album },
      headers: {},
    })
    return summaryOf(stored)
  } catch (error) {
    if (wasNotTaken(error)) await uncount()
    throw error
  }
}

async function saveImage(bytes: Buffer, folder: string): Promise<ReceivedFile> {
  const path = join(folder, 'source')
  await writeFile(path, bytes)
  return { folder, path, name: '' }
}

/** Without the cover, which would be most of the text. */
const summaryOfAlbum = ({ cover: _, ...album }: Album) => album

/** Without the fields that clients of other hosts read. */
function summaryOf(stored: UploadedImage) {
  const { id: imageId, url, thumbnailUrl, page_url, visibility, view_key, width, height, size, mime } = stored
  const { expires_at, duplicate, quarantined } = stored
  const about = { visibility, view_key, width, height, size, mime, expires_at, duplicate, quarantined }
  return { id: imageId, url, thumbnailUrl, page_url, ...about }
}

/** @throws {Failure} invalid_input, empty_file, file_too_large */
function decode(data: string, maxBytes: number): Buffer {
  if (data.length > maxEncodedBytes(maxBytes)) throw new Failure('file_too_large', { maxBytes })
  // Decoding skips line breaks. Removing them from a text with millions took a second.
  const text = data.replace(/^data:[^,]{0,100};base64,/, '').trimEnd()
  if (!/^[\w+/\s-]*={0,2}$/.test(text)) throw new Failure('invalid_input', { field: 'data', problem: 'must be base64' })
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length === 0) throw new Failure('empty_file')
  if (bytes.length > maxBytes) throw new Failure('file_too_large', { maxBytes })
  return bytes
}
