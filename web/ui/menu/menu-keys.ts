// The keys of a menu (WAI-ARIA menu pattern): up and down go around, Home and End to the ends.

export const menuItems = (menu: HTMLElement) => [
  ...menu.querySelectorAll<HTMLButtonElement>('[role^=menuitem]:enabled'),
]

/** Moves the focus. @returns whether the key does that */
export function moveInMenu(menu: HTMLElement, key: string): boolean {
  const items = menuItems(menu)
  const at = items.indexOf(document.activeElement as HTMLButtonElement)
  const to = {
    ArrowDown: (at + 1) % items.length,
    ArrowUp: (at - 1 + items.length) % items.length,
    Home: 0,
    End: items.length - 1,
  }[key]
  if (to === undefined) return false
  items[to]?.focus()
  return true
}
