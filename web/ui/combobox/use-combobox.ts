import { useId, useState, type KeyboardEvent } from 'react'

export interface ComboOption {
  id: string
  label: string
  /** What it means, or how often it is there. */
  detail?: string | undefined
  colour?: string | null | undefined
}

/** A field whose options are listed while it has the focus, which stays in it: the combobox pattern of WAI-ARIA. */
export function useCombobox<Option extends ComboOption>(
  options: readonly Option[],
  onChoose: (option: Option) => void,
  /** Enter without an option takes the first one. */
  { hasFirst = false } = {},
) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const [at, setAt] = useState(-1)
  const none = hasFirst ? 0 : -1
  const active = Math.min(Math.max(at, none), options.length - 1)
  const isShown = isOpen && options.length > 0

  function open(isNow: boolean): void {
    setOpen(isNow)
    setAt(-1)
  }
  function choose(option: Option): void {
    setAt(-1)
    onChoose(option)
  }

  const moves: Record<string, number> = {
    ArrowDown: active + 1 < options.length ? active + 1 : none,
    ArrowUp: active > none ? active - 1 : options.length - 1,
  }
  /** @returns whether the key was one of the list */
  function press(event: KeyboardEvent): boolean {
    // Enter ends the composition of a word by an input method.
    if (event.nativeEvent.isComposing) return false
    const to = moves[event.key]
    const option = options[active]
    if (to !== undefined && options.length > 0) {
      setOpen(true)
      setAt(isOpen ? to : Math.max(to, 0))
    } else if (event.key === 'Escape' && isShown) open(false)
    else if (event.key === 'Enter' && isShown && option !== undefined) choose(option)
    else return false
    event.preventDefault()
    event.stopPropagation()
    return true
  }

  return {
    open,
    press,
    inputProps: {
      role: 'combobox',
      'aria-expanded': isShown,
      'aria-controls': id,
      'aria-autocomplete': 'list',
      ...(isShown && active >= 0 && { 'aria-activedescendant': `${id}-${active}` }),
      autoComplete: 'off',
      autoCapitalize: 'off',
      spellCheck: false,
    } as const,
    listProps: { id, options, active, isShown, onChoose: choose },
  }
}
