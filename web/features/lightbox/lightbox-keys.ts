// The keys of the lightbox as a table. Panning a zoomed image is handled by the carousel.

export interface KeyTable {
  /** By KeyboardEvent.key, letters in lower case. */
  [key: string]: () => void
}

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'repeat'>

/**
 * @param hasLetters false where the user has switched single-letter keys off (WCAG 2.1.4)
 * @returns the action, undefined for other keys
 */
export function keyAction(event: Pressed, table: KeyTable, hasLetters: boolean): (() => void) | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const key = event.key.toLowerCase()
  if (!hasLetters && /^\p{L}$/u.test(key)) return
  // Only these keys may repeat: a held key must not copy or delete ten times.
  if (event.repeat && !/^(arrow|[-+=_])/.test(key)) return
  return Object.hasOwn(table, key) ? table[key] : undefined
}
