// The error banner of the database view: one text, shown until it is dismissed or the address changes.
import { ApiError } from '../../model/api-error.ts'
import { createStore, useStore } from '../../model/store.ts'
import { database } from '../../texts/database-view/database-messages.ts'
import { addressOf, type DatabaseAddress } from './database-address.ts'

/** Identifies a page of a collection; the open document does not count. */
type Place = Pick<DatabaseAddress, 'collection' | 'page'>

interface Shown {
  text: string
  /** The place that was shown when the error occurred. */
  place: string
}

const failure = createStore<Shown | undefined>(undefined)
export const useErrorBanner = () => useStore(failure)?.text

/**
 * Shows an error above the content.
 * @param fallback the text for a failure response without one
 * @param networkText the text when no response arrived
 * @returns the shown text
 */
export function showErrorBanner(error: unknown, fallback: string, networkText: string): string | undefined {
  console.info(fallback, error)
  const text = bannerTextOf(error, fallback, networkText)
  if (text !== undefined) failure.set({ text, place: nameOf(addressOf(location.search)) })
  return text
}

export const hideErrorBanner = () => failure.set(undefined)

/** Clears the banner of the place `left`. An error reported after the address changed belongs to the new place and stays. */
export function hideErrorBannerOf(left: Place): void {
  if (failure.get()?.place === nameOf(left)) hideErrorBanner()
}

const nameOf = ({ collection, page }: Place) => JSON.stringify([collection, page])

/** The banner text for `error`; undefined when the banner shows nothing. */
export function bannerTextOf(error: unknown, fallback: string, networkText: string): string | undefined {
  // The PIN dialog or the login page replaces the view and shows the reason.
  if (error instanceof ApiError && (error.code === 'database_locked' || error.endsSession)) return undefined
  const text = errorTextOf(error, fallback, networkText)
  return text.includes(database.hidden) ? undefined : text
}

function errorTextOf(error: unknown, fallback: string, networkText: string): string {
  if (error instanceof ApiError) return error.message || fallback
  // A response that is not JSON comes from a proxy between this page and the server.
  return error instanceof SyntaxError ? fallback : networkText
}
