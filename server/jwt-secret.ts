// The key that signs tokens: JWT_SECRET, else a secret created at the first start, in DATA_DIR.
import { randomBytes } from 'node:crypto'
import { chmod, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { moveDurably } from './blobs/durable.ts'
import type { Config } from './config.ts'

const secretBytes = 32
/** What those bytes are in the file. */
const storedText = /^[\w-]{43}$/
const mode = 0o600
/** Fewer distinct values occur in one of 20 million secrets of 32 random letters or hex digits. */
const minDistinctBytes = 8
/** Secrets of examples and token generators, which attackers try first. */
const wellKnown =
  /change.?(me|this|it)|your.{0,12}secret|(secret|string).{0,8}at.?least|placeholder|keyboard.?cat|example/i

/** @throws with a message for the operator, when the secret is short, repetitive or well known */
export async function loadJwtSecret(config: Config): Promise<Uint8Array> {
  if (config.JWT_SECRET !== undefined) return validateConfigured(config.JWT_SECRET)
  const path = join(config.DATA_DIR, 'jwt-secret')
  try {
    const secret = validateStored(path, Buffer.from((await readFile(path, 'utf8')).trim(), 'base64url'))
    // A restored or copied file may have other permissions.
    if (((await stat(path)).mode & 0o777) !== mode) await chmod(path, mode)
    return secret
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  return createSecretFile(path)
}

async function createSecretFile(path: string): Promise<Uint8Array> {
  const secret = randomBytes(secretBytes)
  const unfinished = `${path}.part`
  // A leftover of a crash would retain its permissions.
  await rm(unfinished, { force: true })
  await writeFile(unfinished, `${secret.toString('base64url')}\n`, { mode, flag: 'wx' })
  await moveDurably(unfinished, path)
  return secret
}

function validateStored(path: string, secret: Buffer): Buffer {
  if (secret.length === secretBytes && !isRepetitive(secret)) return secret
  throw new Error(
    `${path} does not contain a secret of ${secretBytes} bytes. Delete it to get a new one; all users must then log in again`,
  )
}

/** The settings validate the length. */
function validateConfigured(secret: string): Buffer {
  if (!wellKnown.test(secret) && !isRepetitive(Buffer.from(secret))) return keyOf(secret)
  throw new Error('JWT_SECRET is well known or easy to guess. Generate one: openssl rand -base64 32')
}

/** The content of `jwt-secret` means the same key as a setting, so that links stay valid when an instance moves. */
const keyOf = (secret: string) => Buffer.from(secret, storedText.test(secret) ? 'base64url' : 'utf8')

const isRepetitive = (secret: Buffer) => new Set(secret).size < minDistinctBytes
