import { Unlink } from 'lucide-react'
import { share as texts } from '../../texts/share-messages.ts'
import type { useLinkPreview } from './link-preview.ts'

interface Props {
  link: string
  loading: ReturnType<typeof useLinkPreview>
}

/** The link as a message, with the card that chats make of the page's own data. */
export function ChatPreview({ link, loading: { status, preview } }: Props) {
  return (
    <section className="share-chat" aria-label={texts.preview} aria-busy={status === 'loading'}>
      <p className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="text-meta font-medium">{texts.preview}</span>
        <span className="text-caption text-text-3">{texts.previewHint}</span>
      </p>
      <div className="share-message">
        <p className="truncate text-meta text-accent-text">{link}</p>
        {preview !== undefined && (
          <div className="share-card">
            <div className="share-card-text">
              <p className="text-caption text-text-2">{preview.site}</p>
              <p className="line-clamp-2 font-semibold text-accent-text wrap-anywhere">{preview.title}</p>
              <p className="line-clamp-3 text-meta text-text-2 wrap-anywhere">{preview.description}</p>
            </div>
            {preview.image !== undefined && (
              <img
                className="share-card-image"
                src={preview.image.url}
                alt={preview.image.alt}
                width={preview.image.width}
                height={preview.image.height}
              />
            )}
          </div>
        )}
        {preview === undefined && status === 'loading' && (
          <div className="share-card skeleton h-56" role="status">
            <span className="sr-only">{texts.previewLoading}</span>
          </div>
        )}
        {(status === 'failed' || status === 'gone') && (
          <p className="flex items-center gap-2 text-meta text-text-2" role="status">
            <Unlink className="size-4 shrink-0" aria-hidden />
            {status === 'gone' ? texts.previewGone : texts.previewFailed}
          </p>
        )}
      </div>
    </section>
  )
}
