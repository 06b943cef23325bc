import { readStored, writeStored } from '../../../model/storage.ts'
import { randomUuid } from '../../../model/uuid.ts'

const key = 'browser'

/** A random text that stays in this browser: the server announces a login with another one by mail. */
export function browserId(): string {
  const stored = readStored(key)
  if (stored !== null && /^[\w-]{36}$/.test(stored)) return stored
  const made = randomUuid()
  writeStored(key, made)
  return made
}
