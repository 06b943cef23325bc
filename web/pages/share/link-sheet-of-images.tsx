// The sheet with the options of a link, to the chosen images. Its script is loaded when it is opened.
import { lazy, Suspense } from 'react'
import { DialogSection } from '../../ui/dialog/dialog-section.tsx'
import type { useChosenImages } from '../dashboard-dialogs.tsx'

const LinkSheet = lazy(async () => ({ default: (await import('../../features/links/link-sheet.tsx')).LinkSheet }))

export function LinkSheetOfImages({ sheet: { images, close } }: { sheet: ReturnType<typeof useChosenImages> }) {
  return (
    <DialogSection key={images[0]?.id} onClose={close}>
      <Suspense>{images.length > 0 && <LinkSheet target={{ kind: 'images', images }} onClose={close} />}</Suspense>
    </DialogSection>
  )
}
