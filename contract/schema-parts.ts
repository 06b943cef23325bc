// Schemas that endpoints of several categories share.
import { z } from 'zod'
import { limits } from './limits.ts'

const { defaultLimit, maxLimit, maxCursorLength } = limits.list

/** Metadata of fields that sample requests omit. */
export const omitted = { examples: [] }

/** Ids of an image and a user in the documentation. */
export const sampleIds = { image: 'q7Xn2vTfRkG0aYhLz4WbEg', user: 'm5Jc8dPsUoK1wVtBx9ZeHA' }

export const timestamp = z.iso.datetime().describe('ISO 8601, UTC')

/** The page size of a list of `what`. */
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
        description: `${what} per page`,
      },
    })

export const pageCursor = z
  .string()
  .max(maxCursorLength)
  .optional()
  .describe('From the Link header of the previous page')
  .meta(omitted)
