import { useSyncExternalStore } from 'react'

const never = () => () => {}

/** A value that exists only in the browser: `onServer` in the prerendered page and its first render, then the result of `read`. */
export const useClientValue = <T>(read: () => T, onServer: T): T => useSyncExternalStore(never, read, () => onServer)
