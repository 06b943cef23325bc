// What went wrong in the database view: one text, until it is dismissed or another place is looked at.
import { ApiError } from '../../data/api-error.ts'
import { createStore, useStore } from '../../data/store.ts'
import { database } from '../../texts/database-messages.ts'
import { addressOf, type DatabaseAddress } from './database-address.ts'

/** A page of a collection: which of its documents is open makes no difference. */
type Place = Pick<DatabaseAddress, 'collection' | 'page'>

interface Shown {
  text: string
  /** What was looked at when it was told. */
  place: string
}

const failure = createStore<Shown | undefined>(undefined)
export const useFailure = () => useStore(failure)?.text

/**
 * Shows why something failed above the content.
 * @param fallback where the server refused without a text
 * @param networkText where no answer came
 */
export function showFailure(error: unknown, fallback: string, networkText: string): void {
  console.info(fallback, error)
  const text = failureText(error, fallback, networkText)
  if (text !== undefined) failure.set({ text, place: nameOf(addressOf(location.search)) })
}

export const hideFailure = () => failure.set(undefined)

/** When `left` is not looked at any more. What was told since the address changed is about what is looked at now, and stays. */
export function hideFailureOf(left: Place): void {
  if (failure.get()?.place === nameOf(left)) hideFailure()
}

const nameOf = ({ collection, page }: Place) => JSON.stringify([collection, page])

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
