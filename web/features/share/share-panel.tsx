import { X } from 'lucide-react'
import { useId, type ComponentProps } from 'react'
import { result } from '../../texts/gallery-messages.ts'
import { common } from '../../texts/messages.ts'
import { focusMain } from '../../ui/focus-main.ts'
import { ShareContent } from './share-content.tsx'

type Props = ComponentProps<typeof ShareContent> & { onClose: () => void }

/** What shares a new upload, in the page: whoever goes on uploading is not interrupted. */
export function SharePanel({ onClose, ...rest }: Props) {
  const titleId = useId()

  function close(): void {
    // The pressed button disappears with the panel.
    focusMain()
    onClose()
  }

  return (
    <section className="share-panel" aria-labelledby={titleId}>
      <div className="share-panel-head">
        <h2 id={titleId} className="text-h3">
          {result.title}
        </h2>
        <button type="button" className="btn-icon" onClick={close}>
          <X className="size-5" aria-hidden />
          <span className="sr-only">{common.close}</span>
        </button>
      </div>
      <ShareContent {...rest} isInPage />
    </section>
  )
}
