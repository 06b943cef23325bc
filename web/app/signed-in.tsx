// What stands around every page of whoever is signed in. It comes with a script of its own: the landing pays nothing for it.
import { BottomBar } from './bottom-bar.tsx'
import { useExpiringCount } from './use-expiring-count.ts'
import { useSessionEnd } from './use-session-end.ts'

export function SignedIn() {
  useExpiringCount()
  useSessionEnd()
  return <BottomBar />
}
