import { createContext } from 'react'

/** Why a request waits, while one does. The bar that counts the seconds is behind a dialog. */
export const WaitText = createContext<string | undefined>(undefined)
