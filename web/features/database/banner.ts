// What went wrong in the database view: one text, until it is dismissed or another place is looked at.
import { ApiError } from '../../data/api-error.ts'
import { createStore, useStore } from '../../data/store.ts'
import { database } from '../../notify/database-messages.ts'

const failure = createStore<string | undefined>(undefined)
export const useFailure = () => useStore(failure)

/**
 * Shows why something failed above the content.
 * @param fallback where the server refused without a text
 * @param networkText where no answer came
 */
export function showFailure(error: unknown, fallback: string, networkText: string): void {
  console.info(fallback, error)
  const text = failureText(error, fallback, networkText)
  if (text !== undefined) failure.set(text)
}

export const hideFailure = () => failure.set(undefined)

/** What the banner says about `error`; undefined where it says nothing. Also for whoever says it elsewhere as well. */
export function failureText(error: unknown, fallback: string, networkText: string): string | undefined {
  // The PIN dialog, or the login page, takes the view's place and tells why.
  if (error instanceof ApiError && (error.code === 'database_locked' || error.endsSession)) return undefined
  const text = sayingOf(error, fallback, networkText)
  return text.includes(database.hidden) ? undefined : text
}

function sayingOf(error: unknown, fallback: string, networkText: string): string {
  if (error instanceof ApiError) return error.message || fallback
  // An answer that is no JSON came, but from something between here and the server.
  return error instanceof SyntaxError ? fallback : networkText
}
