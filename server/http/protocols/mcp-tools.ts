// The tools of the MCP endpoint: the domain functions of the API, as the scopes of the key allow.
import { type CallToolResult, createMcpHandler, McpServer, type ToolAnnotations } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { formatNames } from '../../../contract/plain/formats.ts'
import type { Album } from '../../../contract/endpoints/albums.ts'
import { cleanName } from '../../../contract/plain/clean-name.ts'
import { type Image, images } from '../../../contract/endpoints/images.ts'
import { linkEndpoints } from '../../../contract/endpoints/links.ts'
import { parseImageQuery, problemText, queryOperators } from '../../../contract/plain/image-query.ts'
import { imageSorts } from '../../../contract/plain/image-sorts.ts'
import { limits } from '../../../contract/plain/limits.ts'
import { normalizeTags } from '../../../contract/plain/tag-names.ts'
import type { Scope } from '../../../contract/plain/scopes.ts'
import { visibilities } from '../../../contract/plain/visibility.ts'
import { addToAlbum } from '../../domain/albums/change-album-images.ts'
import { listAlbumImages } from '../../domain/albums/list-album-images.ts'
import { createAlbum, listAlbums } from '../../domain/albums/albums.ts'
import type { Deps } from '../../domain/shared/deps.ts'
import { Failure } from '../../domain/shared/failure.ts'
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
import { type McpCall, uploadByMcp } from './mcp-upload.ts'

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
const albumId = id.describe('The id of the album')
const limit = z.number().int().min(1).max(limits.list.maxLimit).optional().describe('Images per page, 20 by default')
const cursor = z.string().max(limits.list.maxCursorLength).optional().describe('next_cursor of the previous page')
const tagList = z.array(z.string().max(4 * limits.tags.maxLength)).max(limits.tags.maxPerImage)
const albumImages = z.array(id).min(1).max(limits.albums.maxImages)
const firstPage = { limit: 20, cursor: undefined }

const readOnly = { readOnlyHint: true }
const idempotent = { idempotentHint: true }

interface Tool<Input extends z.ZodObject> {
  description: string
  input: Input
  annotations?: ToolAnnotations
  run: (given: z.output<Input>) => Promise<object>
}

/** Adds a tool, if the key has the scope. */
type AddTool = <Input extends z.ZodObject>(scope: Scope, name: string, tool: Tool<Input>) => void

function serverFor(deps: Deps, call: McpCall): McpServer {
  const server = new McpServer({ name: deps.config.SITE_NAME, version })
  const { by } = call.caller
  const add: AddTool = (scope, name, { input, run, ...config }) => {
    if (!('apiKeyId' in by && by.grant.scopes.includes(scope))) return
    const inputSchema: z.ZodObject = input
    server.registerTool(name, { ...config, inputSchema }, (given) =>
      result(deps, () => run(given as z.output<typeof input>)),
    )
  }
  addUploads(add, deps, call)
  addLists(add, deps, call)
  addChanges(add, deps, call)
  return server
}

function addUploads(add: AddTool, deps: Deps, call: McpCall): void {
  const input = z.strictObject({
    data: z.string().optional().describe('The image in base64. For small images'),
    url: z.string().optional().describe('The http or https address of the image, instead of data'),
    name: z.string().max(1000).optional().describe('The name of the file'),
    expires_in: images.uploadImage.body.shape.expires_in,
    visibility: z
      .enum(visibilities)
      .optional()
      .describe('private: its addresses need a key, as of create_view_key. Default: as the API key or account has it'),
    tags: tagList.optional().describe('Tags of the image, such as travel/italy'),
    album: id.optional().describe('The id of the album that it is added to'),
  })
  add('upload', 'upload_image', {
    description: `Uploads an image and returns its URL. At most ${Math.min(deps.config.USER_MAX_BYTES, limits.mcp.maxDataBytes)} bytes`,
    // Not offered when it would be refused.
    input: deps.config.UPLOAD_BY_URL ? input : (input.omit({ url: true }) as unknown as typeof input),
    run: ({ tags, ...given }) => uploadByMcp(deps, call, { ...given, tags: requireTags('tags', tags) }),
  })
  add('upload', 'create_album', {
    description:
      'Creates an album, with images of the account, or with a query: then it always has what the query finds',
    input: z.strictObject({
      title: z.string().min(1).max(limits.albums.maxTitleLength),
      description: z.string().max(limits.albums.maxDescriptionLength).optional(),
      parent_id: id.optional().describe('The album that it is to be in'),
      query: z.string().max(limits.list.maxQueryLength).optional().describe('As of search_images'),
      images: albumImages.optional(),
    }),
    async run(body) {
      const title = cleanName(body.title.trim())
      if (title === '') throw new Failure('invalid_input', { field: 'title', problem: 'must not be empty' })
      return createAlbum(deps, { ...call, body: { ...body, title } })
    },
  })
  add('upload', 'add_to_album', {
    description: 'Adds images of the account to an album. Those that it has are skipped',
    input: z.strictObject({ album: albumId, ids: albumImages }),
    annotations: idempotent,
    run: ({ album, ids }) => addToAlbum(deps, { ...call, params: { id: album }, body: { ids } }),
  })
}

function addLists(add: AddTool, deps: Deps, call: McpCall): void {
  add('read', 'list_albums', {
    description: 'Lists the albums of the account, newest first, and those that it is a member of',
    input: z.strictObject({}),
    annotations: readOnly,
    run: async () => ({ albums: (await listAlbums(deps, call)).items.map(summaryOfAlbum) }),
  })
  add('read', 'list_album_images', {
    description: 'Lists the images of an album, in its order',
    input: z.strictObject({ album: albumId, limit, cursor }),
    annotations: readOnly,
    run: ({ album, ...page }) =>
      imagesOf(listAlbumImages(deps, { ...call, params: { id: album }, query: { ...firstPage, ...page } })),
  })
  add('read', 'list_images', {
    description: 'Lists the images of the account, newest first unless sorted otherwise',
    input: z.strictObject({
      limit,
      cursor,
      sort: z.enum(imageSorts).optional(),
      type: z.enum(formatNames).optional(),
      expires: z.enum(['soon']).optional().describe('soon: only those that expire within 7 days'),
      visibility: z.enum(visibilities).optional().describe('Only public or only private images'),
    }),
    annotations: readOnly,
    run: (query) => imagesOf(listImages(deps, { ...call, query: { ...firstPage, ...query } })),
  })
  add('read', 'search_images', {
    description:
      'Finds images of the account by a part of their name, title or alternative text, and by terms that must all apply: ' +
      Object.values(queryOperators)
        .map(({ example }) => example)
        .join(', '),
    input: z.strictObject({ query: z.string().min(1).max(limits.list.maxQueryLength), limit, cursor }),
    annotations: readOnly,
    async run({ query: q, ...page }) {
      const { problem } = parseImageQuery(q)
      if (problem) throw new Failure('invalid_input', { field: 'query', problem: problemText(problem) })
      return imagesOf(listImages(deps, { ...call, query: { ...firstPage, ...page, q } }))
    },
  })
  add('read', 'list_links', {
    description: 'Lists the links through which albums and images of the account are shared, newest first',
    input: z.strictObject({
      album: id.optional().describe('Only links to the album with this id'),
      image: id.optional().describe('Only links that name the image with this id'),
      limit: limit.describe('Links per page, 20 by default'),
      cursor,
    }),
    annotations: readOnly,
    run: (query) => pageOf('links', listLinks(deps, { ...call, query: { ...firstPage, ...query } })),
  })
  add('read', 'list_tags', {
    description: 'Lists the tags of the account, with how many images have them',
    input: z.strictObject({
      query: z.string().max(limits.tags.maxLength).optional().describe('A part of the tag'),
      limit: limit.describe('Tags per page, 20 by default'),
      cursor,
    }),
    annotations: readOnly,
    run: ({ query: q, ...page }) => pageOf('tags', listTags(deps, { ...call, query: { ...firstPage, ...page, q } })),
  })
  add('read', 'analyze_image', {
    description: 'Returns dimensions, colours and tips for smaller files of an image',
    input: z.strictObject({ id }),
    annotations: readOnly,
    run: (params) => analyzeImage(deps, { ...call, params, query: {} }),
  })
}

function addChanges(add: AddTool, deps: Deps, call: McpCall): void {
  const managed = { ...call, guestToken: undefined }
  add('manage', 'extend_image', {
    description: `Makes an image of the account expire ${limits.extensionDays} days from now`,
    input: z.strictObject({ id }),
    annotations: idempotent,
    run: (params) => extendImage(deps, { ...managed, params }),
  })
  add('manage', 'set_visibility', {
    description: 'Makes an image of the account public, or private: then its addresses respond with 404',
    input: z.strictObject({ id, visibility: z.enum(visibilities) }),
    annotations: idempotent,
    run: ({ visibility, ...params }) => updateImage(deps, { ...managed, params, body: { visibility } }),
  })
  add('manage', 'create_view_key', {
    description: 'Returns addresses of a private image that work until an end',
    input: z.strictObject({ id, expires_in: images.createViewKey.body.shape.expires_in }),
    run: ({ expires_in, ...params }) => createViewKey(deps, { ...managed, params, body: { expires_in } }),
  })
  add('manage', 'create_link', {
    description:
      'Shares an album, or some images of the account, private ones too, through a link with its own settings',
    input: linkEndpoints.createLink.body,
    run: (body) => createLink(deps, { ...call, body }),
  })
  add('manage', 'tag_images', {
    description: 'Adds tags to images of the account, or removes them',
    input: z.strictObject({
      ids: z.array(id).min(1).max(limits.tags.maxImages),
      add: tagList.optional(),
      remove: tagList.optional(),
    }),
    annotations: idempotent,
    async run({ ids, ...given }) {
      const tags = { add: requireTags('add', given.add), remove: requireTags('remove', given.remove) }
      return tagImages(deps, { ...call, body: { ids, ...tags } })
    },
  })
  const trashDays = deps.config.TRASH_DAYS
  add('manage', 'delete_image', {
    description:
      'Deletes an image of the account: its addresses end at once. Its owner can restore it ' +
      (trashDays > 0 ? `from the trash for ${trashDays} days` : 'for a minute'),
    input: z.strictObject({
      id,
      trash: z
        .boolean()
        .optional()
        .describe(
          'false: deletes it for good, so that nobody can restore it. To free storage, choose this at once: images in the ' +
            'trash count towards the quota, and a second call does not delete them',
        ),
    }),
    annotations: { destructiveHint: true },
    run: ({ trash, ...params }) =>
      deleteImage(deps, { ...managed, params, query: trash === false ? {} : { trash: '1' } }),
  })
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

/** Images without what only pages show while one loads: a third of the text. */
async function imagesOf(page: ReturnType<typeof listImages>): Promise<object> {
  const { items, total, nextCursor } = await page
  const images = items.map(({ blur: _, placeholder: __, file_name: ___, ...image }: Image) => image)
  return { images, total, next_cursor: nextCursor }
}

/** @param name of the list in the result */
async function pageOf<Row>(
  name: string,
  page: Promise<{ items: readonly Row[]; total?: number | null | undefined; nextCursor: string | null }>,
): Promise<object> {
  const { items, total, nextCursor } = await page
  return { [name]: items, total, next_cursor: nextCursor }
}

/** Without the cover, which would be most of the text. */
const summaryOfAlbum = ({ cover: _, ...album }: Album) => album
