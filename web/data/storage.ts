// Storage that may be refused (private window, full disk): the page then works for this visit.

export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch (error) {
    console.info('Local storage cannot be read', error)
    return null
  }
}

/** Removes what this tab stores over a reload. */
export function clearTabStorage(): void {
  try {
    sessionStorage.clear()
  } catch (error) {
    console.info('The storage of the tab cannot be emptied', error)
  }
}

/** Stores `value`, or removes the key where it is null. */
export function writeStored(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
  } catch (error) {
    console.info('Local storage cannot be written', error)
  }
}
