// Describes a failed start for the operator, naming the setting or file to check.
import { type Config, ConfigError } from './config.ts'
import { DatabaseDamaged, DatabaseUnavailable } from './db/database-errors.ts'
import { DatabaseTooNew } from './db/migrate.ts'
import { DataDirInUse } from './db/data-dir-lock.ts'

/** @param config undefined when the settings themselves are invalid */
export function describeStartFailure(error: unknown, config: Config | undefined): string {
  if (error instanceof ConfigError) return `These settings are wrong:\n${error.message}`
  const chain = causesOf(error)
  const complete = chain.find(isComplete)
  if (complete) return `${complete.message}.`
  for (const cause of config ? chain : []) {
    const sentence = config && (ofListening(cause, config) ?? ofDatabase(cause, config) ?? ofFolder(cause, config))
    if (sentence !== undefined) return sentence
  }
  // A bug: fixing it needs the stack.
  if (
    chain.some((cause) => cause instanceof TypeError || cause instanceof ReferenceError || cause instanceof RangeError)
  )
    return chain.map(({ stack, message }) => stack ?? message).join('\nCaused by: ')
  return chain.length === 0 ? String(error) : `${chain.map(({ message }) => message.replace(/\.$/, '')).join(': ')}.`
}

/**
 * Errors whose messages are written for the operator, as are those that start with the name of a
 * setting (blobs/s3-refusal.ts).
 */
const isComplete = (cause: Error) =>
  [DataDirInUse, DatabaseDamaged, DatabaseTooNew].some((complete) => cause instanceof complete) ||
  /^[A-Z\d]+_[A-Z\d_]+: /.test(cause.message)

type Cause = NodeJS.ErrnoException & { hostname?: string }

function causesOf(error: unknown): Cause[] {
  const chain: Cause[] = []
  // Bounded, because an error may be its own cause.
  for (let at = error; at instanceof Error && chain.length < 10; at = at.cause) chain.push(at)
  return chain
}

function ofListening({ code, syscall, hostname }: Cause, { HOST, PORT }: Config): string | undefined {
  if (syscall !== 'listen' && !(syscall === 'getaddrinfo' && hostname === HOST)) return undefined
  if (code === 'EADDRINUSE')
    return `PORT: something listens on port ${PORT} of ${HOST} already. Set PORT to a free port.`
  if (code === 'EACCES')
    return `PORT: port ${PORT} needs more rights than this process has. Set PORT to one from 1024 to 65535.`
  return `HOST: ${HOST} is not an address of this machine (${code}). 127.0.0.1 is for this machine alone, 0.0.0.0 for all.`
}

/** SQLSTATE: user name or password (28), or an unknown database. */
const refusedByDatabase = /^(28...|3D000)$/

/** Describes a wrong name, password or database, never the URL with its password. */
function ofDatabase(error: Cause, { DATABASE_URL: url }: Config): string | undefined {
  const isAway = error instanceof DatabaseUnavailable
  if (url === undefined || !(isAway || refusedByDatabase.test(error.code ?? ''))) return undefined
  const { code, message } = (isAway ? error.cause : error) as Cause
  const why = message === '' ? code : message
  return `DATABASE_URL: the database at ${URL.canParse(url) ? new URL(url).host : 'this address'} cannot be used: ${why}.`
}

const folderProblems: Record<string, string> = {
  EACCES: 'may not be written by this process',
  EPERM: 'may not be written by this process',
  EROFS: 'is on a disk that can only be read',
  ENOTDIR: 'leads through something that is not a folder',
  EEXIST: 'is not a folder',
  ENOENT: 'cannot be made',
  ENOSPC: 'is on a full disk',
  EDQUOT: 'is over the quota of its disk',
  EIO: 'is on a disk that fails',
}

function ofFolder({ code = '', message, path }: Cause, { DATA_DIR }: Config): string | undefined {
  const isOurs = path?.startsWith(DATA_DIR) === true || DATA_DIR.startsWith(path ?? '\0')
  const problem = folderProblems[code]
  if (isOurs && problem !== undefined) return `DATA_DIR: ${path} ${problem} (${code}).`
  // SQLite does not name the file, which is directly in the data folder.
  if (/unable to open database file|readonly database/.test(message))
    return `DATA_DIR: the files in ${DATA_DIR} may not be written by this process.`
  return undefined
}
