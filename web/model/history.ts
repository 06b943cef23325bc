import { useLocationProperty } from 'wouter/use-browser-location'

/** Whether the current address was reached with the browser's Back or Forward. */
export const useIsBack = () =>
  useLocationProperty(
    () => isBack,
    () => false,
  )

let isBack = false

// The router announces navigation with events of these two names. It subscribes at its first render,
// so this listener runs first.
if (typeof document !== 'undefined') {
  addEventListener('popstate', () => (isBack = true))
  addEventListener('pushState', () => (isBack = false))
  addEventListener('replaceState', () => (isBack = false))
}
