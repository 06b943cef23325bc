// The key that signs tokens: JWT_SECRET, else made at the first start and kept beside the data, readable by its owner only.
import { randomBytes } from 'node:crypto'
import { chmod, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { moveDurably } from './blobs/durable.ts'
import type { Config } from './config.ts'

const secretBytes = 32
const mode = 0o600
/** Of 32 random bytes, letters or hex digits fewer differ once in 20 million secrets. */
const minDifferent = 8
/** What examples and generators of tokens show: whoever looks for a weak secret tries these first. */
const known = /change.?(me|this|it)|your.{0,12}secret|(secret|string).{0,8}at.?least|placeholder|keyboard.?cat|example/i

/** @throws a sentence for the operator: a secret that is short, regular or known */
export async function loadJwtSecret(config: Config): Promise<Uint8Array> {
  if (config.JWT_SECRET !== undefined) return checkGiven(config.JWT_SECRET)
  const path = join(config.DATA_DIR, 'jwt-secret')
  try {
    const secret = check(path, Buffer.from((await readFile(path, 'utf8')).trim(), 'base64url'))
    // A copy or a backup may have come with other permissions.
    if (((await stat(path)).mode & 0o777) !== mode) await chmod(path, mode)
    return secret
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  return makeSecret(path)
}

async function makeSecret(path: string): Promise<Uint8Array> {
  const secret = randomBytes(secretBytes)
  const unfinished = `${path}.part`
  // One that a crash has left would keep its permissions.
  await rm(unfinished, { force: true })
  await writeFile(unfinished, `${secret.toString('base64url')}\n`, { mode, flag: 'wx' })
  await moveDurably(unfinished, path)
  return secret
}

function check(path: string, secret: Buffer): Buffer {
  if (secret.length === secretBytes && !isRegular(secret)) return secret
  throw new Error(
    `${path} does not hold a secret of ${secretBytes} bytes. Remove it to get a new one; everyone must then log in again`,
  )
}

/** Its length is a matter of the settings. */
function checkGiven(secret: string): Buffer {
  if (!known.test(secret) && !isRegular(Buffer.from(secret))) return Buffer.from(secret)
  throw new Error('JWT_SECRET is one that others know or guess. Make one: openssl rand -base64 32')
}

const isRegular = (secret: Buffer) => new Set(secret).size < minDifferent
