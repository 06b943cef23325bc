// Describes a failed start for the operator, naming the setting or file to check.
import { existsSync, statfsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Config, ConfigError } from './config.ts'
import { DatabaseDamaged, DatabaseUnavailable } from './db/database-errors.ts'
import { DatabaseTooNew } from './db/migrate.ts'
import { DataDirInUse } from './db/data-dir-lock.ts'
import { DecoderUnavailable } from './imaging/pool/decoder-unavailable.ts'

/** @param config undefined when the settings themselves are invalid */
export function describeStartFailure(error: unknown, config: Config | undefined): string {
  if (error instanceof ConfigError) return `These settings are invalid:\n${error.message}`
  const chain = causesOf(error)
  const complete = chain.find(isComplete)
  if (complete) return `${complete.message}.`
  for (const cause of config ? chain : []) {
    const sentence =
      config &&
      (describeListenError(cause, config) ??
        describeDatabaseError(cause, config) ??
        describeFullDisk(cause, config) ??
        describeFolderError(cause, config))
    if (sentence !== undefined) return sentence
  }
  // A bug: fixing it needs the stack.
  if (
    chain.some((cause) => cause instanceof TypeError || cause instanceof ReferenceError || cause instanceof RangeError)
  )
    return chain.map(({ stack, message }) => stack ?? message).join('\nCaused by: ')
  return chain.length === 0 ? String(error) : `${chain.map(({ message }) => message.replace(/\.$/, '')).join(': ')}.`
}

/** Errors with messages for the operator; some start with a setting (blobs/s3-refusal.ts). */
const isComplete = (cause: Error) =>
  [DataDirInUse, DatabaseDamaged, DatabaseTooNew, DecoderUnavailable].some((complete) => cause instanceof complete) ||
  /^[A-Z\d]+_[A-Z\d_]+: /.test(cause.message)

type Cause = NodeJS.ErrnoException & { hostname?: string }

function causesOf(error: unknown): Cause[] {
  const chain: Cause[] = []
  // Bounded, because an error may be its own cause.
  for (let at = error; at instanceof Error && chain.length < 10; at = at.cause) chain.push(at)
  return chain
}

function describeListenError({ code, syscall, hostname }: Cause, { HOST, PORT }: Config): string | undefined {
  if (syscall !== 'listen' && !(syscall === 'getaddrinfo' && hostname === HOST)) return undefined
  if (code === 'EADDRINUSE')
    return `PORT: port ${PORT} of ${HOST} is in use by another process. Set PORT to a free port.`
  if (code === 'EACCES')
    return `PORT: this process has no permission to listen on port ${PORT}. Set PORT to a value from 1024 to 65535.`
  return `HOST: ${HOST} is not an address of this machine (${code}). 127.0.0.1 accepts connections from this machine only, 0.0.0.0 from all.`
}

/** SQLSTATE: user name or password (28), or an unknown database. */
const refusedByDatabase = /^(28...|3D000)$/

/** Describes a wrong name, password or database, never the URL with its password. */
function describeDatabaseError(error: Cause, { DATABASE_URL: url }: Config): string | undefined {
  const isUnavailable = error instanceof DatabaseUnavailable
  if (url === undefined || !(isUnavailable || refusedByDatabase.test(error.code ?? ''))) return undefined
  const { code, message } = (isUnavailable ? error.cause : error) as Cause
  const why = message === '' ? code : message
  return `DATABASE_URL: the database at ${URL.canParse(url) ? new URL(url).host : 'this address'} cannot be used: ${why}.`
}

/** A first start writes 2 MB, before the first image. */
const startBytes = 16 * 1024 * 1024

/** A start on a full disk works when the database is there and of this version (db/sqlite.ts). */
function describeFullDisk({ code, path }: Cause, { DATA_DIR }: Config): string | undefined {
  if (code !== 'ENOSPC') return undefined
  const { bavail, bsize } = statfsSync(existingFolder(DATA_DIR))
  return (
    `DATA_DIR: ${path ?? DATA_DIR} is on a full disk (${code}): ${bavail * bsize} bytes are free, and this start needs about ` +
    `${startBytes}. Free some space; ${join(DATA_DIR, 'variants')} may be deleted.`
  )
}

const existingFolder = (path: string): string => (existsSync(path) ? path : existingFolder(dirname(path)))

const folderProblems: Record<string, string> = {
  EACCES: 'is not writable by this process',
  EPERM: 'is not writable by this process',
  EROFS: 'is on a read-only file system',
  ENOTDIR: 'contains a file where a folder is expected',
  EEXIST: 'is not a folder',
  ENOENT: 'cannot be created',
  EDQUOT: 'exceeds the disk quota',
  EIO: 'is on a failing disk',
}

function describeFolderError({ code = '', message, path }: Cause, { DATA_DIR }: Config): string | undefined {
  const isOurs = path?.startsWith(DATA_DIR) === true || DATA_DIR.startsWith(path ?? '\0')
  const problem = folderProblems[code]
  if (isOurs && problem !== undefined) return `DATA_DIR: ${path} ${problem} (${code}).`
  // SQLite does not name the file, which is directly in the data folder.
  if (/unable to open database file|readonly database/.test(message))
    return `DATA_DIR: the files in ${DATA_DIR} are not writable by this process.`
  return undefined
}
