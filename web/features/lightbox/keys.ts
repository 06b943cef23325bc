// The keys of the lightbox, as a table. What the carousel does itself (panning a zoomed picture) does not come here.

export interface KeyTable {
  /** By KeyboardEvent.key, letters in lower case. */
  [key: string]: () => void
}

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'repeat'>

/**
 * @param hasLetters false where the reader has switched single letters off (WCAG 2.1.4)
 * @returns what to do, undefined where the key is not ours
 */
export function keyAction(event: Pressed, table: KeyTable, hasLetters: boolean): (() => void) | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const key = event.key.toLowerCase()
  if (!hasLetters && /^\p{L}$/u.test(key)) return
  // Only what may be held down: nobody wants ten toasts, or ten images deleted.
  if (event.repeat && !/^(arrow|[-+=_])/.test(key)) return
  return Object.hasOwn(table, key) ? table[key] : undefined
}
