// Stores unfinished uploads in IndexedDB. Where the browser refuses, they last for this visit only.
import type { UploadedImage } from '../../../../contract/endpoints/images.ts'
import type { Folder } from '../drop/folder-of-file.ts'
import { randomUuid } from '../../../model/uuid.ts'
import type { Problem } from './upload-state.ts'

export interface StoredUpload {
  id: string
  userId: string
  /** The tab that sends it. Another tab takes it over once that one is closed. */
  tab: string
  /** Position in the queue. */
  order: number
  /** Ready to be sent where `isPrepared`: storing the original as well would double the bytes written. */
  file: File
  isPrepared: boolean
  /** Sent by itself, not by a queue, for as long as its tab is open. */
  isSingle?: boolean
  /** The album that it goes into. */
  album?: string | undefined
  folder?: Folder | undefined
  /** Uploaded, while others of its folder are not. Its file is empty. */
  image?: UploadedImage | undefined
  /** Left out or refused, while others are not uploaded. Its file is empty. */
  problem?: Problem | undefined
}

const storeName = 'uploads'
const tab = randomUuid()
const lockOf = (name: string) => `uploads of tab ${name}`
let database: Promise<IDBDatabase> | undefined

/** The `userId` of what is uploaded without an account. */
export const guestId = 'guest'

export function putUploads(uploads: readonly Omit<StoredUpload, 'tab'>[]): Promise<void> {
  holdTabLock()
  return change((store) => {
    for (const upload of uploads) store.put({ ...upload, tab })
  })
}

export const deleteStoredUploads = (ids: readonly string[]) =>
  change((store) => {
    for (const id of ids) store.delete(id)
  })

export const clearStoredUploads = () => change((store) => store.clear())

/** Whether this or another tab has uploads of the user. */
export const hasStoredUploads = async (userId: string, isSingle = false) =>
  (await readAll()).some((upload) => upload.userId === userId && (!isSingle || upload.isSingle === true))

/**
 * Assigns the uploads of this user's closed tabs to this tab, whose own it returns too, and deletes those of other users.
 * A guest who has logged in meanwhile goes on as this user, unless this tab still sends the files.
 */
export async function adoptUploads(userId: string): Promise<StoredUpload[]> {
  holdTabLock()
  return withTabLock(async (held) => {
    const orphans = (await readAll()).filter((upload) => isLeft(upload, held))
    const others = orphans.filter((upload) => upload.userId !== guestId || upload.tab !== tab || userId === guestId)
    const mine = others
      .filter(({ userId: of, file }) => (of === userId || of === guestId) && file instanceof File)
      .map((upload) => ({ ...upload, userId }))
    const rest = others.filter(({ id }) => !mine.some((upload) => upload.id === id))
    if (rest.length > 0) await deleteStoredUploads(rest.map(({ id }) => id))
    if (mine.length > 0) await putUploads(mine.map((upload) => ({ ...upload, isSingle: false })))
    return mine.toSorted((a, b) => a.order - b.order)
  })
}

/**
 * Assigns what closed tabs of a guest were sending by itself to this tab: one goes on as it began, more are for the queue.
 */
export async function adoptSingles(): Promise<StoredUpload[]> {
  holdTabLock()
  return withTabLock(async (held) => {
    const left = (await readAll()).filter((upload) => isLeft(upload, held) && upload.userId === guestId)
    const singles = left.filter(({ isSingle, file }) => isSingle === true && file instanceof File)
    if (singles.length === 1) await putUploads(singles)
    return singles
  })
}

/** Nobody sends it: its tab is closed, or this tab has stored it for the queue. */
const isLeft = ({ tab: of, isSingle }: StoredUpload, held: ReadonlySet<string | undefined>) =>
  of === tab ? isSingle !== true : !held.has(lockOf(of))

let isHeld = false

/** Holds a lock that other tabs see while this page is open. Plain http has no Web Locks. */
function holdTabLock(): void {
  if (isHeld || !('locks' in navigator)) return
  isHeld = true
  void navigator.locks.request(lockOf(tab), () => new Promise(() => {}))
}

/** Runs `work` under a lock across tabs, so that two tabs do not take over the same uploads. */
async function withTabLock<T>(work: (held: ReadonlySet<string | undefined>) => Promise<T>): Promise<T> {
  if (!('locks' in navigator)) return work(new Set())
  return navigator.locks.request('uploads', async () => {
    const { held = [] } = await navigator.locks.query()
    return work(new Set(held.map(({ name }) => name)))
  })
}

async function readAll(): Promise<StoredUpload[]> {
  try {
    const store = (await open()).transaction(storeName).objectStore(storeName)
    return (await resultOf(store.getAll())) as StoredUpload[]
  } catch (error) {
    console.info('Earlier uploads cannot be read', error)
    return []
  }
}

async function change(write: (store: IDBObjectStore) => void): Promise<void> {
  try {
    const transaction = (await open()).transaction(storeName, 'readwrite')
    write(transaction.objectStore(storeName))
    await new Promise((resolve, reject) => {
      transaction.oncomplete = resolve
      transaction.onabort = () => reject(transaction.error ?? new Error('IndexedDB cannot be written'))
    })
  } catch (error) {
    console.info('Uploads will not survive a reload', error)
  }
}

function open(): Promise<IDBDatabase> {
  if (database === undefined) {
    const request = indexedDB.open('image-host-uploads', 1)
    request.onupgradeneeded = () => request.result.createObjectStore(storeName, { keyPath: 'id' })
    database = resultOf(request)
  }
  return database
}

const resultOf = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('IndexedDB cannot be read'))
  })
