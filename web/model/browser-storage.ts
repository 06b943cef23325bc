// Storage that may be refused (private window, full disk): the page then works for this visit.

/** `sessionStorage` belongs to this tab and survives a reload. */
type Area = 'localStorage' | 'sessionStorage'

export function readStored(key: string, area: Area = 'localStorage'): string | null {
  try {
    return globalThis[area].getItem(key)
  } catch (error) {
    console.info(`${area} cannot be read`, error)
    return null
  }
}

/** Stores `value`, or removes the key where it is null. */
export function writeStored(key: string, value: string | null, area: Area = 'localStorage'): void {
  try {
    if (value === null) globalThis[area].removeItem(key)
    else globalThis[area].setItem(key, value)
  } catch (error) {
    console.info(`${area} cannot be written`, error)
  }
}

/** Reads stored JSON. @returns undefined without a text, and for one that is not JSON, which somebody may have edited */
export function jsonIn(text: string | null, key: string): unknown {
  if (text === null) return undefined
  try {
    return JSON.parse(text)
  } catch (error) {
    console.info(`${key} in the storage of the browser is not JSON`, error)
    return undefined
  }
}

/** The session token. Ignores a value that no header can carry: it would make every request fail, a login too. */
export function readToken(): string | null {
  const stored = readStored('token')
  return stored !== null && /^[\x21-\x7e]+$/.test(stored) ? stored : null
}

const unlockKey = 'database'

/**
 * The unlock of the database view as it was written. In sessionStorage: a reload stays unlocked,
 * another tab does not.
 */
export const readUnlock = () => readStored(unlockKey, 'sessionStorage')
export const writeUnlock = (unlock: string | null) => writeStored(unlockKey, unlock, 'sessionStorage')

/** Calls `onText` with the stored text: now, and when another tab changes it. Not while prerendering. */
export function followStored(key: string, onText: (text: string | null) => void): void {
  if (typeof document === 'undefined') return
  onText(readStored(key))
  addEventListener('storage', (event) => {
    if (event.key === key || event.key === null) onText(readStored(key))
  })
}

/** Removes what this tab stores over a reload. */
export function clearTabStorage(): void {
  try {
    sessionStorage.clear()
  } catch (error) {
    console.info('sessionStorage cannot be emptied', error)
  }
}
