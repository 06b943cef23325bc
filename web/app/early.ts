// A script in the document itself: it loads what a page needs before the first script has even arrived.
import { sendEarlyRequests } from '../model/early-requests.ts'
import { readToken, readUnlock } from '../model/browser-storage.ts'
import { requestModerated, requestThumbnails } from '../features/gallery/early-thumbnails.ts'
import { docsPaths, guestPageAt, paths } from '../paths.ts'

type Files = readonly string[]

/** Set by scripts/early-script.ts: the scripts and styles of each page of a signed-in user, by its path. */
declare const USER_FILES: Readonly<Record<string, Files>>
/** What all of them need. */
declare const COMMON_FILES: Files
/** What the database view needs, which replaces the API documentation while it is unlocked. */
declare const DATABASE_FILES: Files
/** As USER_FILES, of the pages for everyone. */
declare const GUEST_FILES: Readonly<Record<string, Files>>

/** What loads the thumbnails on a page's first response, by its path and search. */
const thumbnails: Readonly<Record<string, typeof requestThumbnails>> = {
  [paths.dashboard]: requestThumbnails,
  [`${paths.admin}?tab=images`]: requestModerated,
}

// A session that opens the landing is sent to the dashboard.
const isRedirected = document.documentElement.classList.contains('session-pending')
const path = isRedirected ? paths.dashboard : location.pathname
const files = USER_FILES[path]
const token = readToken()
if (files !== undefined && token !== null) {
  const pageResponse = sendEarlyRequests(path + location.search, token)
  const isDatabase = docsPaths.includes(path) && readUnlock() !== null
  preload([...COMMON_FILES, ...files, ...(isDatabase ? DATABASE_FILES : [])])
  const requestImages = thumbnails[path + location.search]
  if (requestImages !== undefined)
    pageResponse?.then(requestImages).catch((error: unknown) => console.info('No early thumbnails', error))
} else preload(guestPageAt(GUEST_FILES, path, token === null) ?? [])

function preload(names: Files): void {
  document.head.append(...names.map((name) => preloadOf(`/assets/${name}`)))
}

/** Styles as a preload: their place among the others is decided by the script that needs them. */
function preloadOf(file: string): HTMLLinkElement {
  const link = document.createElement('link')
  if (file.endsWith('.css')) link.as = 'style'
  link.rel = link.as === 'style' ? 'preload' : 'modulepreload'
  link.crossOrigin = ''
  link.href = file
  return link
}
