// Pieces that endpoints of several categories are put together from.
import { z } from 'zod'
import { limits } from './limits.ts'

const { defaultLimit, maxLimit, maxCursorLength } = limits.list

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

export const pageCursor = z.string().max(maxCursorLength).optional().describe('From the Link header of the page before')
