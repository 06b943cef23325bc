// Parts of forms that anyone may send: texts with limits, and fields by which bots are recognized.
import { z } from 'zod'
import { limits } from '../plain/limits.ts'
import { omitted } from './schema-parts.ts'

/** The problem of a text over its limit. The page shows it after the name of the field. */
export const tooLong = (max: number) => `is longer than ${max.toLocaleString('en-US')} characters`

/** A text of several lines. A form sends its line breaks as CR LF, JSON as LF: both count as one character. */
export const multiline = (max: number) =>
  z
    .string('is required')
    .overwrite((text) => text.replace(/\r\n?/g, '\n'))
    .max(max, tooLong(max))

/** Fields of public forms that people do not see: bots are recognized by them. */
export const hiddenFields = {
  time: z
    .union([z.string().max(100), z.number()])
    .optional()
    .describe(
      'When the form was shown: Unix milliseconds or ISO 8601, else ignored. ' +
        `Without it, ${limits.publicForm.untimed.limit} forms an hour are accepted in total`,
    )
    .meta(omitted),
  website: z
    .string()
    .max(limits.publicForm.maxHoneypotLength)
    .optional()
    .describe('Honeypot: leave it empty, or the form is dropped')
    .meta(omitted),
}
