// An upload of one file by itself, stored so that a reload does not lose it. Loaded on demand, as the queues are.
import { readGuestUpload, writeGuestUpload } from './guest-batch-mark.ts'
import { adoptSingles, deleteStoredUploads, guestId, hasStoredUploads, putUploads } from './upload-storage.ts'
import type { UploadItem } from './upload-state.ts'

export const storeSingle = (userId: string, { id, file, prepared, album }: UploadItem) =>
  putUploads([
    { id, userId, album, order: 1, file: prepared?.file ?? file, isPrepared: prepared !== undefined, isSingle: true },
  ])

export const forgetSingle = (id: string) => deleteStoredUploads([id])

export const storeGuestSingle = (item: UploadItem) => storeSingle(guestId, item)

/** Another tab may have one too. */
export async function forgetGuestSingle(id: string): Promise<void> {
  await forgetSingle(id)
  if (readGuestUpload() === id || !(await hasStoredUploads(guestId, true))) writeGuestUpload(null)
}

/** What closed tabs have left. */
export async function restoreGuestSingles(): Promise<{ id: string; file: File }[]> {
  const left = await adoptSingles()
  if (left.length === 0 && !(await hasStoredUploads(guestId, true))) writeGuestUpload(null)
  return left
}
