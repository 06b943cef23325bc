import { lazy, Suspense, useState } from 'react'
import { RecentUploads } from '../features/gallery/recent-uploads.tsx'
import type { ShownImage } from '../model/images/stored-image.ts'
import { DialogSection } from '../ui/dialog/dialog-section.tsx'
import { CopyAllImages } from './copy-all-images.tsx'
import { copyImage } from './copy-image.ts'

const GuestShareSheet = lazy(async () => ({ default: (await import('./guest-share-sheet.tsx')).GuestShareSheet }))

/** What a guest has uploaded, with what can be done with each image, and 'Copy all' for those uploaded together. */
export function LandingRecent({ onEmbed }: { onEmbed: (image: ShownImage) => void }) {
  const [shared, setShared] = useState<ShownImage>()
  return (
    <>
      <RecentUploads
        onCopy={copyImage}
        onShare={setShared}
        onEmbed={onEmbed}
        batchActions={(images) => <CopyAllImages images={images} />}
      />
      {shared !== undefined && (
        <DialogSection onClose={() => setShared(undefined)}>
          <Suspense>
            <GuestShareSheet image={shared} onClose={() => setShared(undefined)} />
          </Suspense>
        </DialogSection>
      )}
    </>
  )
}
