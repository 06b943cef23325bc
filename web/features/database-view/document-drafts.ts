// Unsaved changes to documents of the database view, in this tab: they survive another document or
// page, a lock and a reload. Another account cannot read them.
import type { Document } from '../../../contract/endpoints/database-view.ts'
import { session } from '../../model/session.ts'
import { readStored, writeStored } from '../../model/browser-storage.ts'

export interface DocumentDraft<E> {
  /** The version that was edited. */
  base: Document
  edits: ReadonlyMap<string, E>
}

/** The stored form: drafts of one user. */
interface Stored {
  user: string
  drafts: [key: string, base: Document, edits: [string, unknown][]][]
}

const storageKey = 'database-drafts'
const maxDrafts = 10
/** Larger drafts live as long as the page; they are not stored for a reload. */
export const maxStoredDraftChars = 200_000
const storeDelayMs = 300
let held = new Map<string, DocumentDraft<unknown>>()
let owner: string | undefined
let timer: ReturnType<typeof setTimeout> | undefined

const keyOf = (collection: string, id: string) => JSON.stringify([collection, id])

export function readDraft<E>(collection: string, id: string): DocumentDraft<E> | undefined {
  open()
  return held.get(keyOf(collection, id)) as DocumentDraft<E> | undefined
}

/** Stores the newest few drafts; `undefined` removes the draft. */
export function storeDraft<E>(collection: string, id: string, draft: DocumentDraft<E> | undefined): void {
  open()
  const key = keyOf(collection, id)
  const had = held.delete(key)
  if (draft !== undefined) held.set(key, draft)
  else if (!had) return
  held = new Map([...held].slice(-maxDrafts))
  clearTimeout(timer)
  timer = setTimeout(write, storeDelayMs)
}

/** Reads the stored drafts once, and again for another user. */
function open(): void {
  const current = session.get()
  const user = current.status === 'in' ? current.user.id : undefined
  if (user === owner) return
  owner = user
  held = user === undefined ? new Map() : readDrafts(readStored(storageKey, 'sessionStorage'), user)
}

// The latest changes are written before the user is signed out; then memory is cleared.
session.subscribe(() => {
  if (session.get().status !== 'out') return
  write()
  owner = undefined
  held = new Map()
})

if (typeof document !== 'undefined') addEventListener('pagehide', write)

function write(): void {
  if (timer === undefined) return
  clearTimeout(timer)
  timer = undefined
  const text = owner === undefined ? undefined : draftsText(owner, held)
  writeStored(storageKey, text ?? null, 'sessionStorage')
}

/** Without the drafts that are too large for the storage; undefined when none is left. */
export function draftsText(user: string, drafts: ReadonlyMap<string, DocumentDraft<unknown>>): string | undefined {
  const small = [...drafts]
    .map(([key, { base, edits }]): Stored['drafts'][number] => [key, base, [...edits]])
    .filter((draft) => JSON.stringify(draft).length <= maxStoredDraftChars)
  return small.length === 0 ? undefined : JSON.stringify({ user, drafts: small } satisfies Stored)
}

export function readDrafts(text: string | null, user: string): Map<string, DocumentDraft<unknown>> {
  if (text === null) return new Map()
  try {
    const stored = JSON.parse(text) as Stored
    if (stored.user !== user) return new Map()
    const whole = stored.drafts.filter(([, base, edits]) => typeof base?._id === 'string' && Array.isArray(edits))
    return new Map(whole.map(([key, base, edits]) => [key, { base, edits: new Map(edits) }]))
  } catch (error) {
    console.info('The stored drafts cannot be read', error)
    return new Map()
  }
}
