import { useEffect } from 'react'
import { refusedTokens } from '../data/token.ts'
import { shell } from '../texts/shell-messages.ts'
import { notify } from '../ui/toast/toast.ts'

/** Shows a toast when the server rejects the token during a session. At page load there is none: the user has lost nothing. */
export function useSessionEnd(): void {
  useEffect(() => refusedTokens.subscribe(() => notify.error(shell.authRequired, 'session')), [])
}
