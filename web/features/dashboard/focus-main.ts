/** Moves the focus to the main content, when the focused element is about to disappear. */
export const focusMain = () => document.getElementById('main')?.focus({ preventScroll: true })
