/** Moves the focus to the viewer, or the main content without one, when the focused element is about to disappear. */
export function focusMain(): void {
  const place = document.querySelector<HTMLElement>('.lightbox[open]') ?? document.getElementById('main')
  place?.focus({ preventScroll: true })
}
