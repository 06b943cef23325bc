import { useState } from 'react'
import { RecentUploads } from '../features/gallery/recent-uploads.tsx'
import { CopyAllImages } from './copy-all-images.tsx'
import { copyImage } from './copy-image.ts'
import { type GuestDialog, GuestDialogs } from './guest-dialogs.tsx'

/** What a guest has uploaded, with what can be done with each image, and 'Copy all' for those uploaded together. */
export function LandingRecent() {
  const [dialog, setDialog] = useState<GuestDialog>()
  return (
    <>
      <RecentUploads
        onCopy={copyImage}
        onShare={(image) => setDialog({ name: 'share', image })}
        onEmbed={(image) => setDialog({ name: 'embed', image })}
        batchActions={(images) => <CopyAllImages images={images} />}
      />
      <GuestDialogs dialog={dialog} onClose={() => setDialog(undefined)} />
    </>
  )
}
