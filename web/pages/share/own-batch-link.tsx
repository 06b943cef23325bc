// The link of a user to all images that were uploaded together.
import { Settings2 } from 'lucide-react'
import { Suspense, useState } from 'react'
import type { Image } from '../../../contract/endpoints/images.ts'
import { limits } from '../../../contract/plain/limits.ts'
import { BatchLink } from '../../features/links/batch-link.tsx'
import { batchLink } from '../../texts/links/batch-link-messages.ts'
import { DialogSection } from '../../ui/dialog/dialog-section.tsx'
import { onDemand } from '../../ui/on-demand.tsx'

const LinkSheet = onDemand(async () => (await import('../../features/links/link-sheet.tsx')).LinkSheet)

export function OwnBatchLink({ images }: { images: readonly Image[] }) {
  const [isOpen, setOpen] = useState(false)
  if (images.length > limits.links.maxImages) return null

  async function makeLink(): Promise<string> {
    const { plainLinkTo } = await import('../../features/links/links.ts')
    return (await plainLinkTo({ kind: 'images', images }, {})).url
  }

  return (
    <div className="mb-2 flex items-center gap-2">
      <div className="min-w-0 flex-1">
        <BatchLink count={images.length} makeLink={makeLink} isPrimary />
      </div>
      <button
        type="button"
        className="btn btn-quiet btn-lg"
        aria-label={batchLink.optionsNamed}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <Settings2 className="size-5" aria-hidden />
        {batchLink.options}
      </button>
      <DialogSection onClose={() => setOpen(false)}>
        <Suspense>
          {isOpen && <LinkSheet target={{ kind: 'images', images }} onClose={() => setOpen(false)} />}
        </Suspense>
      </DialogSection>
    </div>
  )
}
