// What is typed between Ctrl+K and the moment when the palette's field is there: its script may still be on the way. No key
// reaches the page meanwhile, where single letters are shortcuts.

export interface HeldKeys {
  text: string
  /** Enter came last: the first result was meant. */
  isEntered: boolean
}

const nothing: HeldKeys = { text: '', isEntered: false }
let held: HeldKeys | undefined
let drop = () => {}

/**
 * From now on keys are kept for the palette, until it takes them, Escape drops them, or it cannot be loaded.
 * @param onDrop closes what Escape was meant for
 */
export function holdKeys(onDrop: () => void): void {
  drop = onDrop
  held ??= nothing
  addEventListener('keydown', holdKey, { capture: true })
}

/** Keeps a key, if keys are held now. @returns whether they are */
export function holdKey(event: KeyboardEvent): boolean {
  // A word that an input method composes, and keys of the browser, stay where they are.
  if (held === undefined || event.isComposing || event.key === 'Process') return held !== undefined
  const { key } = event
  const isShortcut = event.ctrlKey || event.metaKey || event.altKey
  if (key === 'Tab' || (isShortcut && key.toLowerCase() !== 'k')) return true
  event.preventDefault()
  event.stopImmediatePropagation()
  if (key === 'Escape') {
    releaseKeys()
    drop()
  } else if (!isShortcut) held = withKey(held, key)
  return true
}

/** @returns what was typed, for the field */
export function releaseKeys(): HeldKeys {
  const typed = held ?? nothing
  held = undefined
  removeEventListener('keydown', holdKey, { capture: true })
  return typed
}

function withKey({ text, isEntered }: HeldKeys, key: string): HeldKeys {
  if (key === 'Enter') return { text, isEntered: true }
  if (key === 'Backspace') return { text: text.replace(/.$/u, ''), isEntered: false }
  // Names of other keys are longer than a character.
  return /^.$/u.test(key) ? { text: text + key, isEntered: false } : { text, isEntered }
}
