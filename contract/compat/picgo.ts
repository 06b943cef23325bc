// The server of PicGo and PicList, which other programs on the same machine usually call.
import { z } from 'zod'
import { endpoint } from '../endpoints/endpoint.ts'
import { limits } from '../plain/limits.ts'
import { example, sampleIds } from '../endpoints/schema-parts.ts'
import { encodedImage, key, number, sampleDeleteHash, sampleUrl, text, uploadBase } from './schemas.ts'

const failure = z.strictObject({
  success: z.literal(false),
  message: text('Unsupported file'),
  msg: text('The same as message'),
  result: z.array(z.string()).meta(example([])),
})

const item = z.strictObject({
  imgUrl: text(sampleUrl),
  fileName: text('photo.jpg'),
  id: text(sampleIds.image),
  width: number(1600),
  height: number(1200),
  hash: text(sampleDeleteHash).describe('Authorizes deleting the image'),
})

export const picgo = {
  picgoUpload: endpoint({
    ...uploadBase,
    summary: 'Upload images as to the server of PicGo or PicList',
    description: `Up to ${limits.compat.maxFiles} files, in fields named list, files or file. Local paths are refused.`,
    upload: { field: 'list', description: encodedImage },
    query: z.object({ key }),
    response: z.strictObject({
      success: z.literal(true),
      result: z.array(z.string()).meta(example([sampleUrl])),
      fullResult: z.array(item),
      items: z.array(item).describe('The same as fullResult'),
    }),
    failure,
  }),
  picgoDelete: endpoint({
    summary: 'Delete images as from the server of PicList',
    description: 'Images that no longer exist count as deleted.',
    category: 'compatibility',
    access: 'public',
    body: z.object({
      list: z
        .array(z.object({ hash: text(sampleDeleteHash) }))
        .min(1)
        .max(limits.list.maxLimit),
    }),
    response: z.strictObject({ success: z.literal(true), message: text('success') }),
    failure,
    failures: ['wrong_delete_token', 'image_unavailable'],
  }),
  picgoHeartbeat: endpoint({
    summary: 'Check that the server runs, as PicGo does',
    category: 'compatibility',
    access: 'public',
    response: z.strictObject({ success: z.literal(true), result: z.literal('alive') }),
    failure,
  }),
}
export type PicgoItem = z.infer<typeof item>
