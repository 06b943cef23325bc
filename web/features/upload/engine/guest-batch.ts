// The mark that a guest's files are being uploaded together: the id of their batch, until all are done. The landing reads
// it to go on after a reload, before it loads the queue.
import { readStored, writeStored } from '../../../model/storage.ts'

const key = 'guest_batch'

export const readGuestBatch = () => readStored(key)
export const writeGuestBatch = (id: string | null) => writeStored(key, id)
