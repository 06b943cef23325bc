// The frame of every page of a signed-in user, in a script of its own: the landing does not load it.
import { UploadTray } from '../features/upload/tray/upload-tray.tsx'
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
