import { lazy, Suspense, useEffect, useState } from 'react'
import { addImage, loadImages, useImages } from '../data/images.ts'
import { useSession } from '../data/session.ts'
import { useSite } from '../data/site.ts'
import type { ShownImage } from '../data/stored-image.ts'
import { ImageGrid } from '../features/gallery/image-grid.tsx'
import { userRules } from '../features/upload/rules.ts'
import { UploadBar } from '../features/upload/upload-bar.tsx'
import { dashboard, pageTitle, titles } from '../notify/messages.ts'
import { useTitle } from '../ui/title.ts'
import { embeddable } from './embeddable.ts'

const EmbedDialog = lazy(async () => ({ default: (await import('../features/embed/embed-dialog.tsx')).EmbedDialog }))

export function DashboardPage() {
  const session = useSession()
  const { siteName } = useSite()
  const { total } = useImages()
  const [embedded, setEmbedded] = useState<ShownImage>()
  useTitle(pageTitle(titles.dashboard, siteName))
  useEffect(() => void loadImages(), [])

  return (
    <div className="page pt-8">
      <h1 className="text-title wrap-anywhere">{dashboard.hello(session.status === 'in' ? session.user.email : '')}</h1>
      <p className="mb-5 min-h-[1.375rem] text-dense text-text-2 tabular-nums">
        {total !== undefined && dashboard.count(total)}
      </p>
      <UploadBar rules={userRules} onUploaded={addImage} />
      <ImageGrid onEmbed={setEmbedded} />
      {embedded !== undefined && (
        <Suspense>
          <EmbedDialog image={embeddable(embedded)} onClose={() => setEmbedded(undefined)} />
        </Suspense>
      )}
    </div>
  )
}
