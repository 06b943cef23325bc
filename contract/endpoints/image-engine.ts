// The parameters of the image engine (docs/decisions/0045), in a query and in JSON.
import { z } from 'zod'
import { limits } from '../plain/limits.ts'
import { example, numberText, omitted } from './schema-parts.ts'

const { maxSidePx, maxQuality, maxDensity, maxBlurPx } = limits.variant

/** A whole number from 1 in a path or query. */
export const whole = (max: number, unit: string, example: number) =>
  numberText(5, 1, max, { description: `${unit}, 1 to ${max}`, examples: [example] })
export const width = whole(maxSidePx, 'Width in pixels', limits.variant.defaultWidthPx)
export const height = whole(maxSidePx, 'Height in pixels', 600)

const texts = {
  w: 'Width in pixels, rounded up',
  h: 'Height in pixels; with w, the box that fit is about',
  dpr: 'Pixels of the screen per CSS pixel, by which w and h are multiplied',
}
const densityRange = `must be a number from 1 to ${maxDensity}`
export const engineQuery = z.object({
  w: width.optional().describe(texts.w),
  h: height.optional().describe(texts.h),
  fit: z
    .enum(['cover', 'contain', 'inside', 'scale-down'])
    .optional()
    .describe('With w and h. cover crops, contain adds bars, inside and scale-down do neither. Default cover'),
  q: whole(maxQuality, 'Quality', limits.variant.defaultQuality).optional(),
  fmt: z
    .enum(['auto', 'avif', 'webp', 'jpeg', 'png'])
    .optional()
    .describe('auto: the smallest format that the Accept header names. Default: that of the extension'),
  dpr: z
    .string()
    .regex(/^\d(\.\d{1,4})?$/, densityRange)
    .transform(Number)
    .pipe(z.number().min(1, densityRange).max(maxDensity, densityRange))
    .optional()
    .meta({
      openapi: {
        type: 'number',
        minimum: 1,
        maximum: maxDensity,
        description: texts.dpr,
        examples: [2],
      },
    }),
  blur: whole(maxBlurPx, 'Blur in pixels', 10).optional(),
  bg: z
    .string()
    .regex(/^#?([\da-f]{3}|[\da-f]{6})$/i, 'must be a colour such as ffffff')
    .transform((text) => {
      const digits = text.replace('#', '').toLowerCase()
      return digits.length === 3 ? digits.replace(/./g, '$&$&') : digits
    })
    .optional()
    .meta({
      openapi: {
        type: 'string',
        pattern: '^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$',
        description: 'Colour of bars and behind transparent pixels',
        examples: [],
      },
    }),
  sig: z
    .string()
    .max(100)
    .optional()
    .describe('The signature that SIGN_VARIANTS=on demands for unusual sizes and effects')
    .meta(omitted),
})
/** The key of a private image is part of no variant. */
export type EngineQuery = z.output<typeof engineQuery>

const wholeFrom1 = (max: number) => z.int().min(1).max(max).optional()
/** The same parameters in JSON. */
export const engineParameters = {
  w: wholeFrom1(maxSidePx).meta(example(800, texts.w)),
  h: wholeFrom1(maxSidePx).meta(example(600, texts.h)),
  fit: engineQuery.shape.fit.meta(example('cover')),
  q: wholeFrom1(maxQuality).describe('Quality').meta(omitted),
  fmt: engineQuery.shape.fmt.meta(example('auto')),
  dpr: z.number().min(1).max(maxDensity).optional().describe(texts.dpr).meta(omitted),
  blur: wholeFrom1(maxBlurPx).describe('Blur in pixels').meta(omitted),
  bg: engineQuery.shape.bg.meta(omitted),
} satisfies Record<Exclude<keyof EngineQuery, 'sig'>, z.ZodType>
