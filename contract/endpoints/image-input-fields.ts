// The fields of images that several endpoints take, and the parts of their addresses.
import { z } from 'zod'
import { limits } from '../plain/limits.ts'
import { slugPattern } from '../plain/page-paths.ts'
import { reservedSlugs } from '../plain/reserved-slugs.ts'
import { normalizeTag, withoutBlank } from '../plain/tag-names.ts'
import { visibilities } from '../plain/visibility.ts'
import { cleanedName, example, omitted, sampleIds } from './schema-parts.ts'

/** 128 random bits in base64url, 22 characters. Any other string is valid input, and not found. */
export const id = z.string().min(1).meta(example(sampleIds.image))
export const fileName = z.string().meta(example(`photo-${sampleIds.image}.jpg`))
export const visibility = z.enum(visibilities).meta(example('public'))
/** Of every address of an image. */
export const viewKey = z.string().max(100).optional().describe('The view key of a private image').meta(omitted)
export const keyQuery = z.object({ key: viewKey })

/** Of a field that comes in forms and in JSON. @param form what it must be */
const textOrNumber = (form: string) => z.union([z.string(), z.number()], form).transform(String)

const lifetimeForm = 'must be seconds, or a number with s, m, h or d'
const unitMs = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Parses seconds or '7d' to milliseconds. The maximum depends on the role and is checked by the handler. */
export const lifetime = textOrNumber(lifetimeForm)
  .pipe(z.string().regex(/^\d{1,9}[smhd]?$/, lifetimeForm))
  .transform((text) => Number.parseInt(text, 10) * unitMs[(/[smhd]$/.exec(text)?.[0] ?? 's') as keyof typeof unitMs])
  .refine((milliseconds) => milliseconds >= unitMs.m, 'must be at least one minute')
  .meta({ openapi: { type: ['string', 'integer'], pattern: '^\\d{1,9}[smhd]?$', examples: [] } })

/** Also `never`, for who may keep images. */
export const uploadLifetime = z
  .union([z.literal('never'), lifetime], lifetimeForm)
  .meta({ openapi: { type: ['string', 'integer'], pattern: '^(never|\\d{1,9}[smhd]?)$', examples: [] } })

/** The role of the caller decides about the latest. */
export const chosenExpiry = z.iso
  .datetime({ offset: true })
  .transform((text) => Date.parse(text))
  .nullable()
  .meta({
    openapi: {
      anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }],
      description: 'ISO 8601, at most what GET /api/limits says; null: it never expires',
      examples: ['2027-01-31T12:00:00.000Z'],
    },
  })

const maxViewsForm = `must be a whole number from 1 to ${limits.maxViews}`
export const maxViews = textOrNumber(maxViewsForm)
  .pipe(z.string().regex(/^\d{1,7}$/, maxViewsForm))
  .transform(Number)
  .refine((views) => views >= 1 && views <= limits.maxViews, `must be from 1 to ${limits.maxViews}`)
  .meta({ openapi: { type: ['string', 'integer'], pattern: '^\\d{1,7}$', examples: [] } })

export const guestToken = z.object({
  token: z
    .string()
    .max(100)
    .optional()
    .describe('delete_token of a guest image, as an alternative to X-Guest-Token')
    .meta(omitted),
})

export const tagName = z
  .string()
  .max(4 * limits.tags.maxLength)
  .transform((text, context) => {
    const tag = normalizeTag(text)
    if (tag === undefined)
      context.addIssue(
        `must be a tag of at most ${limits.tags.maxLength} characters and ${limits.tags.maxDepth} levels`,
      )
    return tag ?? ''
  })
  .meta({ openapi: { type: 'string', examples: ['travel/italy'] } })

/** All tags of an image, each once. */
export const tagNames = z
  .array(tagName)
  .max(limits.tags.maxPerImage)
  .transform((tags) => [...new Set(tags)].toSorted())
  .meta({
    openapi: {
      type: 'array',
      items: { type: 'string' },
      maxItems: limits.tags.maxPerImage,
      examples: [['travel/italy']],
    },
  })

/** A field of a form; also a list, where the body is JSON. */
export const tagField = z
  .union([z.string(), z.array(z.string())])
  .transform((tags) => withoutBlank(typeof tags === 'string' ? tags.split(',') : tags))
  .pipe(tagNames)
  .meta({ openapi: { type: 'string', examples: [] } })

export const title = cleanedName(limits.share.maxTitleLength)
export const alt = cleanedName(limits.share.maxAltLength)
export const slug = z
  .string()
  .trim()
  .toLowerCase()
  .min(limits.share.minSlugLength)
  .max(limits.share.maxSlugLength)
  .regex(slugPattern, 'must consist of letters a to z, digits and single hyphens between them')
  .refine((text) => !reservedSlugs.has(text), 'is reserved')
