// Schemas that endpoints of several categories share.
import { z } from 'zod'
import { cleanName } from '../plain/clean-name.ts'
import { limits } from '../plain/limits.ts'

const { defaultLimit, maxLimit, maxCursorLength, maxCounted } = limits.list

/** Metadata of fields that sample requests omit. */
export const omitted = { examples: [] }

/** Metadata of a field: what samples show in it, and what it means. */
export const example = (value: unknown, description?: string) => ({
  ...(description !== undefined && { description }),
  examples: [value],
})

/** Ids of an image and a user in the documentation. */
export const sampleIds = {
  image: 'q7Xn2vTfRkG0aYhLz4WbEg',
  otherImage: 'b5Wd3nYzLsC8eHgKp1RxTf',
  user: 'm5Jc8dPsUoK1wVtBx9ZeHA',
  session: 'c2Rk6yNqWbE8uLfTh0VsDg',
  album: 'w3Ft9bHxPzS6kCqJd2NmYg',
  link: 'e8Gv4rKsTnA0jMyQh7BcXw',
}

/** An id in the path or body of a request. */
export const requestedId = (sample: string) => z.string().min(1).max(200).meta(example(sample))

/** A name that people read: at most `maxLength` characters as sent, then cleaned; may be empty. */
export const cleanedName = (maxLength: number) => z.string().trim().max(maxLength).overwrite(cleanName)

export const wholeNumber = (sample: number) => z.number().int().meta(example(sample))

/** A whole number in a path or query. @param digits of the longest value */
export function numberText(digits: number, minimum: number, maximum: number, docs: object) {
  const bounds = `from ${minimum} to ${maximum}`
  return z
    .string()
    .regex(new RegExp(`^\\d{1,${digits}}$`), `must be a whole number ${bounds}`)
    .transform(Number)
    .pipe(z.number().min(minimum, `must be ${bounds}`).max(maximum, `must be ${bounds}`))
    .meta({ openapi: { type: 'integer', minimum, maximum, ...docs } })
}

/** Of endpoints with `proofOfWork`. */
export const proofHeader = {
  'x-proof-of-work': z
    .string()
    .max(200)
    .optional()
    .describe(
      'Where the server demands it (428): the value of X-Challenge, BITS.EXPIRY.NONCE.SIGNATURE, a dot and a number N for which SHA-256 of NONCE.N begins with BITS zero bits',
    )
    .meta(omitted),
}

/** The password of the account that makes the request. */
export const currentPassword = z.string().max(limits.account.maxPasswordLength).optional()

/** Of endpoints that need the password or a recent login or confirmation. @param when in other cases, it is not needed */
export const confirmation = (when = '') => ({
  currentPassword: currentPassword
    .describe(`Your password. Required${when} without a login or confirmation of the last 10 minutes`)
    .meta(omitted),
})

/** The response of an action without a result. */
export const done = z.strictObject({ success: z.literal(true) })

export const timestamp = z.iso.datetime().describe('ISO 8601, UTC')

/** The page size of a list of `what`. @param max of at most three digits, at least the default */
export const pageLimit = (what: string, max: number = maxLimit) =>
  z
    .string()
    .regex(/^\d{1,3}$/, `must be a whole number from 1 to ${max}`)
    .transform(Number)
    .pipe(z.number().min(1).max(max))
    .optional()
    .meta({
      openapi: {
        type: 'integer',
        minimum: 1,
        maximum: max,
        default: defaultLimit,
        description: `${what} per page`,
      },
    })

/** The description of lists of images. */
export const imagePages =
  'Paginated: the Link header (rel="next") has the URL of the next page, X-Total-Count the total number. What a search ' +
  `or filter finds is counted up to ${maxCounted}: ${maxCounted + 1} stands for all larger numbers.`

export const pageCursor = z
  .string()
  .max(maxCursorLength)
  .optional()
  .describe('From the Link header of the previous page')
  .meta(omitted)
