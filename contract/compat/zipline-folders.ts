// Folders of Zipline v4: albums. Its upload is POST /api/upload.
import { z } from 'zod'
import { endpoint } from '../endpoints/endpoint.ts'
import { example, cleanedName, omitted, requestedId, sampleIds } from '../endpoints/schema-parts.ts'
import { limits } from '../plain/limits.ts'
import { number, sampleName, sampleUrl, text } from './schemas.ts'

const { maxImages, maxTitleLength } = limits.albums

const failure = z.strictObject({
  error: text('Album not found'),
  code: text('album_not_found'),
  message: text('Album not found'),
  success: z.literal(false),
})
const time = text('2026-01-31T12:00:00.000Z')
const file = z.strictObject({
  id: text(sampleIds.image),
  createdAt: time,
  updatedAt: time,
  deletesAt: time.nullable(),
  name: text(sampleName),
  originalName: text('photo.jpg'),
  size: number(482_113),
  type: text('image/jpeg'),
  folderId: text(sampleIds.album),
  url: text(sampleUrl),
})
const folder = z.strictObject({
  id: text(sampleIds.album),
  createdAt: time,
  updatedAt: time,
  name: text('Italy 2026'),
  public: z.literal(false).describe('Links share an album: see POST /api/links'),
  allowUploads: z.literal(false),
  parentId: z.string().nullable().meta(example(null)),
  _count: z.strictObject({ children: number(0), files: number(42) }),
})
export type ZiplineFolder = z.infer<typeof folder>
export type ZiplineFile = z.infer<typeof file>

const params = z.strictObject({ id: requestedId(sampleIds.album) })
const name = cleanedName(maxTitleLength).min(1).meta(example('Italy 2026'))
const parentId = requestedId(sampleIds.album)
/** Zipline's clients send them with each change. */
const ignored = {
  isPublic: z.boolean().optional().describe('Not used').meta(omitted),
  allowUploads: z.boolean().optional().describe('Not used').meta(omitted),
}
const flag = z.enum(['true', 'false']).optional()
const common = { category: 'compatibility', access: 'user', failure } as const
const notPlaced = ['album_not_found', 'album_depth'] as const
const notChanged = ['album_not_found', 'album_role', 'album_is_live', 'malformed_json'] as const

export const ziplineFolders = {
  ziplineListFolders: endpoint({
    ...common,
    summary: 'List your albums as folders of Zipline',
    description: 'Newest first, without their files.',
    keyScope: 'read',
    query: z.object({
      root: flag.describe('true: only those in no other').meta(omitted),
      parentId: parentId.optional().describe('Only those in this one').meta(omitted),
    }),
    response: z.array(folder),
  }),
  ziplineCreateFolder: endpoint({
    ...common,
    summary: 'Create an album as a folder of Zipline',
    keyScope: 'upload',
    body: z.object({
      name,
      files: z
        .array(requestedId(sampleIds.image))
        .max(maxImages)
        .optional()
        .describe('Ids of images of your account')
        .meta(omitted),
      parentId: parentId.nullable().optional().meta(omitted),
      isPublic: ignored.isPublic,
    }),
    response: folder,
    failures: [...notPlaced, 'too_many_albums', 'malformed_json'],
  }),
  ziplineGetFolder: endpoint({
    ...common,
    summary: 'Get an album as a folder of Zipline',
    description: `With its first ${limits.list.maxLimit} images, unless noincl is true.`,
    keyScope: 'read',
    params,
    query: z.object({ noincl: flag.meta(omitted) }),
    response: folder.extend({ files: z.array(file).optional() }),
    failures: ['album_not_found'],
  }),
  ziplineUpdateFolder: endpoint({
    ...common,
    summary: 'Rename or move an album as a folder of Zipline',
    keyScope: 'manage',
    params,
    body: z.object({ name: name.optional(), parentId: parentId.nullable().optional().meta(omitted), ...ignored }),
    response: folder,
    failures: [...notChanged, 'album_depth', 'album_circle'],
  }),
  ziplineAddToFolder: endpoint({
    ...common,
    summary: 'Add an image to an album as to a folder of Zipline',
    description: 'It stays in its other albums.',
    keyScope: 'upload',
    params,
    body: z.object({ id: requestedId(sampleIds.image) }),
    response: folder,
    failures: [...notChanged, 'image_not_found', 'image_gone', 'image_unavailable', 'guest_token_required'],
  }),
  ziplineDeleteFolder: endpoint({
    ...common,
    summary: 'Delete an album, or remove an image from it, as in Zipline',
    description: 'The images stay. Albums inside it move to where it was.',
    keyScope: 'manage',
    params,
    body: z.object({
      delete: z.enum(['folder', 'file']).meta(example('folder')),
      id: requestedId(sampleIds.image).optional().describe('With file: the image').meta(omitted),
      childrenAction: z.literal('root').optional().meta(omitted),
    }),
    response: z.strictObject({ success: z.literal(true), folder: folder.optional().describe('With file') }),
    failures: [...notChanged, 'image_not_found'],
  }),
}
