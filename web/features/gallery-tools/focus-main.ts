/** For what goes with the focus on it: the keyboard goes on from the page's content, not from its very start. */
export const focusMain = () => document.getElementById('main')?.focus({ preventScroll: true })
