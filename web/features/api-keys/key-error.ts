import { serverText } from '../../model/api-error.ts'
import { NoTokenError } from '../../model/api-keys.ts'

/** The text of a failed call: `auth` without a token, else the server's text, else `failed`. */
export const keyErrorText = (error: unknown, texts: { auth: string; failed: string }) =>
  error instanceof NoTokenError ? texts.auth : serverText(error, texts.failed)
