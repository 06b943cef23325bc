// Tags of the images of an account (docs/decisions/0067).
import { z } from 'zod'
import { limits } from '../plain/limits.ts'
import { tagColours } from '../plain/tag-names.ts'
import { endpoint } from './endpoint.ts'
import { tagName, tagNames } from './image-input-fields.ts'
import { example, done, omitted, pageCursor, pageLimit, requestedId, sampleIds, wholeNumber } from './schema-parts.ts'

const colour = z.enum(tagColours).nullable().meta(example('teal', 'How pages show it'))

const tag = z
  .strictObject({
    name: z.string().meta(example('travel/italy')),
    images: wholeNumber(12).describe('Images with exactly this tag'),
    colour,
  })
  .meta({ id: 'Tag' })
export type Tag = z.infer<typeof tag>

const common = { category: 'images', access: 'user' } as const
const changed = done.extend({ images: wholeNumber(12).describe('How many images were changed') })
const named = tagName.describe('The tag, with those below it')

export const tags = {
  listTags: endpoint({
    ...common,
    summary: 'List your tags, with how many images have them',
    description:
      'Paginated: the Link header (rel="next") has the URL of the next page, X-Total-Count the total number. A tag exists while an image has it.',
    keyScope: 'read',
    query: z.strictObject({
      q: z.string().max(limits.tags.maxLength).optional().meta(example('ital', 'Part of the tag')),
      sort: z.enum(['name', 'images']).optional().describe('Default name. images: the most used first'),
      limit: pageLimit('Tags'),
      cursor: pageCursor,
    }),
    response: z.array(tag),
  }),
  updateTag: endpoint({
    ...common,
    summary: 'Rename, merge or colour a tag',
    description: 'Tags below it are renamed with it. Fields that are not sent stay as they are.',
    keyScope: 'manage',
    body: z.strictObject({
      tag: named,
      new_name: tagName.optional().meta({ openapi: { type: 'string', examples: ['travel/italia'] } }),
      merge: z.boolean().optional().describe('true: merges with an existing tag of the new name').meta(omitted),
      colour: colour.optional(),
    }),
    response: changed,
    failures: ['tag_not_found', 'tag_exists'],
  }),
  deleteTag: endpoint({
    ...common,
    summary: 'Remove a tag, and those below it, from all your images',
    description: 'The images stay.',
    keyScope: 'manage',
    body: z.strictObject({ tag: named }),
    response: changed,
    failures: ['tag_not_found'],
  }),
  tagImages: endpoint({
    ...common,
    summary: 'Add tags to several images, or remove them',
    description: `At most ${limits.tags.maxImages} images of your account, all or none. What is not among your images is skipped. The response says what changed, so that it can be undone.`,
    keyScope: 'manage',
    body: z.strictObject({
      ids: z.array(requestedId(sampleIds.image)).min(1).max(limits.tags.maxImages),
      add: tagNames.optional(),
      remove: tagNames.optional().meta(omitted),
    }),
    response: done.extend({
      images: z.array(
        z.strictObject({
          id: z.string().meta(example(sampleIds.image)),
          tags: z.array(z.string()).meta(example(['travel/italy'])),
          added: z.array(z.string()).meta(example(['travel/italy'])),
          removed: z.array(z.string()).meta(example([])),
        }),
      ),
    }),
    failures: ['too_many_tags'],
  }),
}
