// Pieces that endpoints of several categories are put together from.
import { z } from 'zod'
import { limits } from './limits.ts'

const { defaultLimit, maxLimit, maxCursorLength } = limits.list

/** For fields that the documentation's calls are better made without. */
export const leftOut = { examples: [] }

/** Of images and accounts, as the documentation shows them. */
export const sampleIds = { image: 'q7Xn2vTfRkG0aYhLz4WbEg', user: 'm5Jc8dPsUoK1wVtBx9ZeHA' }

export const timestamp = z.iso.datetime().describe('ISO 8601, UTC')

/** How many of `what` a page of a list holds. */
export const pageLimit = (what: string) =>
  z
    .string()
    .regex(/^\d{1,3}$/, `must be a whole number from 1 to ${maxLimit}`)
    .transform(Number)
    .pipe(z.number().min(1).max(maxLimit))
    .optional()
    .meta({
      openapi: {
        type: 'integer',
        minimum: 1,
        maximum: maxLimit,
        default: defaultLimit,
        description: `${what} to a page`,
      },
    })

export const pageCursor = z
  .string()
  .max(maxCursorLength)
  .optional()
  .describe('From the Link header of the page before')
  .meta(leftOut)
