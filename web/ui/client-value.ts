import { useSyncExternalStore } from 'react'

const never = () => () => {}

/** A value that only the browser knows: `onServer` in the prerendered page and its first render, then what `read` says. */
export const useClientValue = <T>(read: () => T, onServer: T): T => useSyncExternalStore(never, read, () => onServer)
