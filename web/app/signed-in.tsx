// What stands around every page of whoever is signed in. It comes with a script of its own: the landing pays nothing for it.
import { UploadTray } from '../features/upload/upload-tray.tsx'
import { BottomBar } from './bottom-bar.tsx'
import { useExpiringCount } from './use-expiring-count.ts'
import { useSessionEnd } from './use-session-end.ts'

export function SignedIn({ userId }: { userId: string }) {
  useExpiringCount()
  useSessionEnd()
  return (
    <>
      <UploadTray userId={userId} />
      <BottomBar />
    </>
  )
}
