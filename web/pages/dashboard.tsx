import { lazy, Suspense, useEffect, useState } from 'react'
import type { User } from '../../contract/accounts.ts'
import { loadGallery } from '../data/gallery.ts'
import { addImage } from '../data/images.ts'
import { useSession } from '../data/session.ts'
import { useSite } from '../data/site.ts'
import type { ShownImage } from '../data/stored-image.ts'
import { ImageGrid } from '../features/gallery/image-grid.tsx'
import { UploadArea } from '../features/upload/upload-area.tsx'
import { formatBytes } from '../format/bytes.ts'
import { dashboard } from '../notify/gallery-messages.ts'
import { pageTitle, titles } from '../notify/messages.ts'
import { useTitle } from '../ui/title.ts'
import { embeddable } from './embeddable.ts'

const EmbedDialog = lazy(async () => ({ default: (await import('../features/embed/embed-dialog.tsx')).EmbedDialog }))

export function DashboardPage() {
  const session = useSession()
  const { siteName } = useSite()
  const [embedded, setEmbedded] = useState<ShownImage>()
  useTitle(pageTitle(titles.dashboard, siteName))
  useEffect(() => void loadGallery(), [])

  return (
    <div className="page page-fluid pt-8">
      {session.status === 'in' && <Greeting user={session.user} />}
      <UploadArea onUploaded={addImage} />
      <ImageGrid onEmbed={setEmbedded} />
      {embedded !== undefined && (
        <Suspense>
          <EmbedDialog image={embeddable(embedded)} onClose={() => setEmbedded(undefined)} />
        </Suspense>
      )}
    </div>
  )
}

function Greeting({ user: { email, imageCount, imageBytes } }: { user: User }) {
  return (
    <>
      <h1 className="text-title wrap-anywhere">{dashboard.hello(email)}</h1>
      <p className="mb-5 text-dense text-text-2 tabular-nums">
        {dashboard.figures(imageCount, formatBytes(imageBytes))}
      </p>
    </>
  )
}
