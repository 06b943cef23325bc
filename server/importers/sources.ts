// The hosts and files that can be imported.
import { openOtherHostDatabase } from '../db/other-host-database.ts'
import type { Deps } from '../domain/shared/deps.ts'
import { UsageError } from '../command.ts'
import { openChevereto } from './chevereto.ts'
import { openFiles } from './files-source.ts'
import { openLsky } from './lsky.ts'
import { openLychee } from './lychee.ts'
import { openPicsur } from './picsur.ts'
import { openSlink } from './slink.ts'
import type { DatabaseLocation, Source } from './source-types.ts'
import { openUrls } from './url-list.ts'
import { openZipline } from './zipline.ts'

interface Location {
  deps: Deps
  /** At least one. */
  paths: [string, ...string[]]
  /** The value of --files. */
  files: string | undefined
}

interface SourceKind {
  /** What to give as LOCATION. */
  help: string
  /** All pictures belong to the account of --owner. */
  needsOwner: boolean
  open: (location: Location) => Promise<Source>
}

const withDatabase =
  (open: (location: DatabaseLocation) => Promise<Source>, needsFiles = true): SourceKind['open'] =>
  async ({ paths, files }) => {
    if (paths.length > 1) throw new UsageError(`${paths[1]} is an unexpected argument`)
    if (needsFiles && files === undefined) throw new UsageError('--files FOLDER is missing')
    const db = await openOtherHostDatabase(paths[0])
    try {
      return await open({ db, files: files ?? '' })
    } catch (error) {
      await db.destroy()
      throw error
    }
  }

const ofDatabase = (help: string, open: SourceKind['open']): SourceKind => ({ help, needsOwner: false, open })

export const sources: Record<string, SourceKind> = {
  slink: ofDatabase('path of slink.db; --files slink/images', withDatabase(openSlink)),
  zipline: ofDatabase('postgres://…; --files uploads', withDatabase(openZipline)),
  chevereto: ofDatabase('mysql://…; --files images', withDatabase(openChevereto)),
  lsky: ofDatabase(
    'mysql://…, postgres://… or path of the SQLite file; --files storage/app/uploads',
    withDatabase(openLsky),
  ),
  picsur: ofDatabase('postgres://…', withDatabase(openPicsur, false)),
  lychee: ofDatabase(
    'path of database.sqlite, mysql://… or postgres://…; --files public/uploads',
    withDatabase(openLychee),
  ),
  files: {
    help: 'folders and ZIP archives, also of Google Takeout; JSON beside an image has its name and date',
    needsOwner: true,
    open: ({ deps, paths }) => openFiles(paths, deps.config.USER_MAX_BYTES),
  },
  urls: {
    help: 'a text file with one URL in each line; their dates are from Last-Modified',
    needsOwner: true,
    open: ({ deps, paths }) => openUrls(deps, paths),
  },
}
