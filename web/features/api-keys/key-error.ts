import { serverText } from '../../data/api-error.ts'
import { NoTokenError } from '../../data/api-keys.ts'

/** What to say of a failed call: who is not signed in is told so, else the server's text comes first. */
export const keyErrorText = (error: unknown, words: { auth: string; failed: string }) =>
  error instanceof NoTokenError ? words.auth : serverText(error, words.failed)
