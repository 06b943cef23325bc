import { FolderPlus } from 'lucide-react'
import { limits } from '../../../contract/plain/limits.ts'
import { linkSheet as texts } from '../../texts/links/link-messages.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'

interface Props {
  count: number
  onAlbum: () => void
  onClose: () => void
}

/** Instead of the sheet for more images than a link names: an album, which has any number, can be shared. */
export function TooManyDialog({ count, onAlbum, onClose }: Props) {
  return (
    <Dialog title={texts.title} onClose={onClose}>
      <div className="grid gap-4">
        <p className="text-h3">{texts.ofImages(count)}</p>
        <p>{texts.tooMany(limits.links.maxImages)}</p>
        <div className="flex justify-end">
          <button type="button" className="btn btn-primary" onClick={onAlbum}>
            <FolderPlus className="size-4" aria-hidden />
            {texts.toAlbum}
          </button>
        </div>
      </div>
    </Dialog>
  )
}
