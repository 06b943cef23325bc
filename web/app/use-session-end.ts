import { useEffect } from 'react'
import { refusedTokens } from '../data/token.ts'
import { shell } from '../texts/shell-messages.ts'
import { notify } from '../ui/toast/toast.ts'

/** Says so when the server ends the session in the middle of it. At the start of a visit nobody is told: nothing was lost. */
export function useSessionEnd(): void {
  useEffect(() => refusedTokens.subscribe(() => notify.error(shell.authRequired, 'session')), [])
}
