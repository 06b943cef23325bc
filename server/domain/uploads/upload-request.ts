// What an upload is, once its file is received.
import type { Kysely } from 'kysely'
import type { Input } from '../../../contract/endpoints/api.ts'
import type { Schema } from '../../db/schema.ts'
import type { ImageRow } from '../images/image-row.ts'
import type { Caller } from '../shared/caller.ts'
import type { RequestContext } from '../shared/deps.ts'

/** A received file in its own temporary folder, which the creator removes. */
export interface ReceivedFile {
  folder: string
  path: string
  /** As sent by the client. */
  name: string
}

/** Of an image that was uploaded to another host. Users' formats are allowed for guests' images too. */
interface Imported {
  /** UTC milliseconds. */
  createdAt: number
  /** How often it was viewed elsewhere. */
  views: number
  /** Runs in the transaction that inserts the row. */
  record: (db: Kysely<Schema>, row: ImageRow) => Promise<void>
}

export type UploadRequest = RequestContext<Caller> &
  Pick<Input<'uploadImage'>, 'body' | 'headers'> & {
    file: ReceivedFile
    /** The same bytes get the image that exists, for callers who may manage it. */
    reusesSameBytes?: boolean
    imported?: Imported
  }
