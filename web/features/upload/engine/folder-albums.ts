// Albums of folders that a user uploads: whether one is wanted, and which images it has already. The images are added once
// they are uploaded, so that the choice can be made, and taken back, at any time.
import { limits } from '../../../../contract/plain/limits.ts'
import { addToAlbum, albumList, createAlbum, deleteAlbum } from '../../../model/albums/albums.ts'
import { ApiError, serverText } from '../../../model/api-error.ts'
import { queryClient } from '../../../model/query-client.ts'
import { jsonIn, readStored, writeStored } from '../../../model/browser-storage.ts'
import { createStore } from '../../../model/store.ts'
import { folderAlbum as texts } from '../../../texts/upload-messages.ts'
import { notify } from '../../../ui/toast/toast.ts'
import { folderOfFile, type Folder } from '../drop/folder-of-file.ts'
import { keptFolders } from '../upload-prefs.ts'
import type { NewUpload } from './upload-engine.ts'
import type { StoredQueue } from './stored-queue.ts'
import { canRetry, isUnderWay, type UploadItem } from './upload-state.ts'

export interface FolderAlbum extends Folder {
  /** undefined: it is wanted, and none of its images is uploaded yet. */
  album: string | undefined
}

/** More have one choice for all, and become albums only when the user says so for this upload. */
export const maxSeparateFolders = 3
/** So that a long batch takes few requests. */
const addEveryMs = 3000
const retryMs = 10_000
const key = 'folder_albums'

/** Marks the files of folders with several images. */
export function takeFolders(uploads: readonly NewUpload[]): { uploads: NewUpload[]; folders: Folder[] } {
  const counts = new Map<Folder, number>()
  const folderIn = ({ file, refusal, album }: NewUpload) =>
    refusal === undefined && album === undefined ? folderOfFile(file) : undefined
  for (const upload of uploads) {
    const folder = folderIn(upload)
    if (folder !== undefined) counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  const folders = [...counts].filter(([, images]) => images > 1).map(([folder]) => folder)
  const taken = uploads.map((upload) => {
    const folder = folderIn(upload)
    return folder !== undefined && folders.includes(folder) ? { ...upload, folder } : upload
  })
  return { uploads: taken, folders }
}

/** The folders of a queue, in its order. */
export const foldersOf = (items: readonly UploadItem[]): Folder[] => [
  ...new Map(items.flatMap(({ folder }) => (folder === undefined ? [] : [[folder.id, folder]]))).values(),
]

export function createFolderAlbums(queue: StoredQueue) {
  /** The wanted ones, by the id of their folder. */
  const store = createStore<ReadonlyMap<string, FolderAlbum>>(new Map(read()))
  const added = new Map<string, Set<string>>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let isAdding = false
  queue.store.subscribe(follow)

  function follow(): void {
    const items = queue.store.get()
    if (items.length > 0 && !items.some(isAwaited)) plan(0)
    else if (store.get().size > 0 && items.some(({ stage }) => stage === 'done')) plan(addEveryMs)
  }

  function plan(afterMs: number): void {
    if (afterMs === 0) clearTimeout(timer)
    else if (timer !== undefined) return
    timer = setTimeout(() => {
      timer = undefined
      void addAll()
    }, afterMs)
  }

  async function addAll(): Promise<void> {
    if (isAdding) return plan(addEveryMs)
    isAdding = true
    try {
      let isComplete = true
      for (const folder of store.get().values()) isComplete = (await add(folder)) && isComplete
      if (isComplete && !queue.store.get().some(isAwaited)) {
        queue.forgetDone()
        writeStored(key, null)
      }
    } finally {
      isAdding = false
    }
  }

  /** Adds what is uploaded and not in the album yet. @returns false: it has to be tried again */
  async function add(folder: FolderAlbum): Promise<boolean> {
    const inIt = added.get(folder.id) ?? new Set()
    const given = queue.store.get().filter((item) => item.folder?.id === folder.id)
    const images = given.flatMap(({ image }) => image?.id ?? [])
    const ids = images.filter((id) => !inIt.has(id))
    if (ids.length === 0) return true
    try {
      const album = folder.album ?? (await createAlbum({ title: titleOf(folder) }, ids)).id
      if (folder.album !== undefined) for (const run of runsOf(images, inIt)) await addRun(album, run)
      added.set(folder.id, new Set([...inIt, ...ids]))
      // Taken back meanwhile.
      if (!store.get().has(folder.id)) await remove(album)
      else if (folder.album === undefined) change(new Map(store.get()).set(folder.id, { ...folder, album }))
    } catch (error) {
      console.info(texts.failed, error)
      if (!(error instanceof ApiError) || error.status >= 500 || error.status === 429 || error.status === 0) {
        plan(retryMs)
        return false
      }
      drop([folder.id])
      notify.error(serverText(error, texts.failed))
    }
    return true
  }

  function keep(folders: readonly Folder[]): void {
    const wanted = folders.map((folder): [string, FolderAlbum] => [folder.id, { ...folder, album: undefined }])
    change(new Map([...wanted, ...store.get()]))
    plan(0)
  }

  function drop(ids: readonly string[]): void {
    for (const id of ids) added.delete(id)
    change(new Map([...store.get()].filter(([id]) => !ids.includes(id))))
  }

  async function remove(id: string): Promise<void> {
    const album = (await queryClient.query({ ...albumList, staleTime: 'static' })).find((one) => one.id === id)
    if (album !== undefined) await deleteAlbum(album, 'keep')
  }

  function change(next: ReadonlyMap<string, FolderAlbum>): void {
    writeStored(key, next.size === 0 ? null : JSON.stringify([...next.values()]))
    store.set(next)
  }

  return {
    store,
    isWanted: (id: string) => store.get().has(id),
    /** New folders: they become albums if the user has wanted that of the last ones. */
    offer(folders: readonly Folder[]): void {
      if (keptFolders.get() && folders.length > 0 && folders.length <= maxSeparateFolders) keep(folders)
    },
    /** Makes albums of the folders, and of those that are uploaded later. */
    keep(folders: readonly Folder[]): void {
      keptFolders.change(true)
      keep(folders)
    },
    /** Removes the albums of the folders; their images stay. */
    async takeBack(folders: readonly Folder[]): Promise<void> {
      keptFolders.change(false)
      const albums = folders.flatMap(({ id }) => store.get().get(id)?.album ?? [])
      drop(folders.map(({ id }) => id))
      try {
        for (const album of albums) await remove(album)
        if (albums.length > 0) notify.success(texts.undone(albums.length))
      } catch (error) {
        notify.failure(serverText(error, texts.undoFailed), error)
      }
    },
    stop: () => change(new Map()),
  }
}

interface Run {
  ids: string[]
  /** The image of the album that follows them; undefined: none. */
  before: string | undefined
}

/** What is not in the album yet, by its place there: an image may arrive after the next ones of its folder. */
export function runsOf(images: readonly string[], inIt: ReadonlySet<string>): Run[] {
  const runs: Run[] = []
  let run: Run = { ids: [], before: undefined }
  for (const id of images) {
    if (!inIt.has(id)) run.ids.push(id)
    else if (run.ids.length > 0) {
      runs.push({ ...run, before: id })
      run = { ids: [], before: undefined }
    }
  }
  return run.ids.length > 0 ? [...runs, run] : runs
}

async function addRun(album: string, { ids, before }: Run): Promise<void> {
  try {
    await addToAlbum(album, ids, before)
  } catch (error) {
    // The user has taken that image out of the album meanwhile.
    if (before === undefined || !(error instanceof ApiError) || error.code !== 'image_not_found') throw error
    await addToAlbum(album, ids)
  }
}

/** Its image may still arrive. */
const isAwaited = (item: UploadItem) => isUnderWay(item) || canRetry(item)

const titleOf = ({ name }: Folder) => name.slice(0, limits.albums.maxTitleLength)

/** Storage is untrusted. */
function read(): [string, FolderAlbum][] {
  const stored = jsonIn(readStored(key), key)
  return Array.isArray(stored) ? stored.filter(isFolderAlbum).map((one) => [one.id, one]) : []
}

function isFolderAlbum(value: unknown): value is FolderAlbum {
  const { id, name, album } = (value ?? {}) as Partial<FolderAlbum>
  return typeof id === 'string' && typeof name === 'string' && (album === undefined || typeof album === 'string')
}
