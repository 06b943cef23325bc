import { CalendarPlus, CodeXml, Link2, Trash2 } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import type { User } from '../../contract/accounts.ts'
import type { Image } from '../../contract/images.ts'
import { loadGallery, readAll } from '../data/gallery.ts'
import { addImage, deleteImages, extendImages } from '../data/images.ts'
import { useSession } from '../data/session.ts'
import { useSite } from '../data/site.ts'
import type { ShownImage } from '../data/stored-image.ts'
import { Gallery } from '../features/gallery/gallery.tsx'
import { userRules } from '../features/upload/rules.ts'
import { UploadBar } from '../features/upload/upload-bar.tsx'
import { formatBytes } from '../format/bytes.ts'
import { copyText } from '../notify/copy.ts'
import { copy, dashboard, gallery } from '../notify/gallery-messages.ts'
import { pageTitle, titles } from '../notify/messages.ts'
import { notify } from '../notify/toast.ts'
import type { Action } from '../ui/action.ts'
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
      <UploadBar rules={userRules} onUploaded={addImage} />
      <ImagesOf onEmbed={setEmbedded} />
      {embedded !== undefined && (
        <Suspense>
          <EmbedDialog image={embeddable(embedded)} onClose={() => setEmbedded(undefined)} />
        </Suspense>
      )}
    </div>
  )
}

function ImagesOf({ onEmbed }: { onEmbed: (image: ShownImage) => void }) {
  const [selection, setSelection] = useState<ReadonlySet<string>>(new Set())
  const [view, setView] = useState<'grid' | 'list'>('grid')
  const actions: Action<Image>[] = [
    { id: 'copy', label: gallery.copyUrl, icon: Link2, shortcut: 'c', run: ({ url }) => void copyText(url, copy.url) },
    { id: 'embed', label: gallery.embed, icon: CodeXml, shortcut: 'e', run: onEmbed },
    {
      id: 'extend',
      label: gallery.extend,
      icon: CalendarPlus,
      shortcut: 'l',
      run: (image) => tell(extendImages([image]), gallery.extended, gallery.extendFailed),
    },
    {
      id: 'delete',
      label: gallery.delete,
      icon: Trash2,
      shortcut: 'delete',
      isDanger: true,
      run: (image) => tell(remove(image), gallery.deleted, gallery.deleteFailed),
    },
  ]
  return (
    <div className="mt-4">
      <Gallery
        view={view}
        actions={actions}
        selection={selection}
        onSelect={setSelection}
        onSelectAll={() => void readAll().then((all) => setSelection(new Set(all.map(({ id }) => id))))}
        onOpen={({ url }) => open(url, '_blank', 'noopener')}
        onMore={onEmbed}
        onToggleView={() => setView(view === 'grid' ? 'list' : 'grid')}
        hasFilters={false}
        onClearFilters={() => void loadGallery()}
      />
    </div>
  )
}

async function remove(image: Image): Promise<void> {
  const { failure } = await deleteImages([image])
  // oxlint-disable-next-line typescript/only-throw-error -- it was thrown once already
  if (failure !== undefined) throw failure
}

async function tell(work: Promise<void>, done: string, failed: string): Promise<void> {
  try {
    await work
    notify.success(done)
  } catch (error) {
    console.info(failed, error)
    notify.error(failed)
  }
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
