// Maps keys to commands for the whole site. Pure: the caller runs the command. Keys of a gallery are in gallery/use-gallery-keys.ts,
// those of actions on images with the actions in dashboard/.

export type ShortcutCommand =
  | 'palette'
  | 'help'
  | 'search'
  | 'chooseImage'
  | 'dashboard'
  | 'albums'
  | 'notifications'
  | 'apiKeys'
  | 'apiDocs'

export interface KeyPress {
  key: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  isComposing: boolean
}

interface KeyContext {
  /** The focus is in a text field. */
  isTyping: boolean
  /** Single-key shortcuts are enabled. */
  isOn: boolean
  /** The previous key was G. */
  isAfterG: boolean
}

const alone: Readonly<Record<string, ShortcutCommand>> = { '?': 'help', '/': 'search', u: 'chooseImage' }
const afterG: Readonly<Record<string, ShortcutCommand>> = {
  d: 'dashboard',
  b: 'albums',
  n: 'notifications',
  k: 'apiKeys',
  a: 'apiDocs',
}

/** 'g' when a second key follows. */
export function shortcutOf(
  pressed: KeyPress,
  { isTyping, isOn, isAfterG }: KeyContext,
): ShortcutCommand | 'g' | undefined {
  const key = pressed.key.toLowerCase()
  if (pressed.isComposing) return undefined
  if (pressed.ctrlKey !== pressed.metaKey && !pressed.altKey && key === 'k') return 'palette'
  if (isTyping || !isOn || pressed.ctrlKey || pressed.metaKey || pressed.altKey) return undefined
  if (isAfterG) return own(afterG, key)
  return key === 'g' ? 'g' : own(alone, key)
}

const own = (table: Readonly<Record<string, ShortcutCommand>>, key: string) =>
  Object.hasOwn(table, key) ? table[key] : undefined

const typed =
  'input:not([type=checkbox], [type=radio], [type=button], [type=submit], [type=range], [type=file]), textarea, select'

/** The field of a dialog that was just closed hears keys until the next frame: they are the page's. */
export const isTextField = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches(typed)) && target.checkVisibility()
