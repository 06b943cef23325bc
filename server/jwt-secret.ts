// The key that signs tokens: JWT_SECRET, else made at the first start and kept beside the data, readable by its owner only.
import { randomBytes } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { moveDurably } from './blobs/durable.ts'
import type { Config } from './config.ts'

const secretBytes = 32

export async function loadJwtSecret(config: Config): Promise<Uint8Array> {
  if (config.JWT_SECRET !== undefined) return Buffer.from(config.JWT_SECRET)
  const path = join(config.DATA_DIR, 'jwt-secret')
  try {
    return check(path, Buffer.from((await readFile(path, 'utf8')).trim(), 'base64url'))
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
  await writeFile(unfinished, `${secret.toString('base64url')}\n`, { mode: 0o600, flag: 'wx' })
  await moveDurably(unfinished, path)
  return secret
}

function check(path: string, secret: Buffer): Buffer {
  if (secret.length === secretBytes) return secret
  throw new Error(
    `${path} does not hold a secret of ${secretBytes} bytes. Remove it to get a new one; everyone must then log in again`,
  )
}
