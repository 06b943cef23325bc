// The mark that a guest's files are being uploaded together: the id of their batch, until all are done. The landing reads
// it to go on after a reload, before it loads the queue.
import { readStored, writeStored } from '../../../model/browser-storage.ts'

const key = 'guest_batch'
const singleKey = 'guest_upload'

export const readGuestBatch = () => readStored(key)
export const writeGuestBatch = (id: string | null) => writeStored(key, id)

/** Whether files of a guest are being uploaded, or were when their tab was closed. */
export const hasGuestUploads = () => readGuestBatch() !== null || readGuestUpload() !== null

/** The id of a single upload, without a batch. */
export const readGuestUpload = () => readStored(singleKey)
export const writeGuestUpload = (id: string | null) => writeStored(singleKey, id)
