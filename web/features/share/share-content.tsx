// What shares an image: its title, one button that copies the link, and how the link looks in a chat. In a dialog, the
// share sheet, or in the page.
import { clsx } from 'clsx'
import { Check, Link2, Pencil, Send } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { limits } from '../../../contract/plain/limits.ts'
import { lastFormat, setLastFormat } from '../../model/copy-choice.ts'
import { actions } from '../../texts/dashboard-messages.ts'
import { copy } from '../../texts/gallery-messages.ts'
import { share as texts } from '../../texts/share-messages.ts'
import { writeRichClipboard } from '../../ui/copy/clipboard.ts'
import { CopyButton } from '../../ui/copy/copy-button.tsx'
import { copyText } from '../../ui/copy/copy-text.ts'
import { ImageWithFallback } from '../../ui/sourced-image.tsx'
import { notify } from '../../ui/toast/toast.ts'
import { ChatPreview } from './chat-preview.tsx'
import { linkHtml } from './link-html.ts'
import { type LinkPreview, useLinkPreview } from './link-preview.ts'
import { MoreFormats, type ShareFormat } from './more-formats.tsx'
import { useSavedTitle } from './use-saved-title.ts'
import './share.css'

interface Props {
  image: { id: string; name: string; title: string; width: number; height: number }
  /** Of the image, best first. */
  sources: readonly string[]
  /** Of the share page, absolute. */
  link: string
  formatsOf: (title: string) => readonly ShareFormat[]
  /** Missing: the title cannot be changed here. */
  onTitle?: (title: string) => Promise<void>
  /** In a page, the focus stays where it is. */
  isInPage?: boolean
  /** Of a private image: its link and its codes would work for nobody else. */
  privateShare?: ReactNode
}

export function ShareContent({ image, sources, link, formatsOf, onTitle, isInPage = false, privateShare }: Props) {
  const isPublic = privateShare === undefined
  const title = useSavedTitle(image.title, onTitle ?? (async () => {}))
  const loading = useLinkPreview(isPublic ? image.id : undefined, title.version)
  const [last, setLast] = useState(lastFormat)
  const [onTop] = useState(last)
  const shownTitle = title.title || image.name
  const formats = formatsOf(title.title)

  function copyFormat({ id, label, code }: ShareFormat): Promise<boolean> {
    setLast(id)
    setLastFormat(id)
    return copyText(code, id === 'url' ? copy.url : copy.code(label))
  }

  return (
    <div className={clsx('share', !isPublic && 'share-private')}>
      <div className="share-image">
        <ImageWithFallback
          key={sources[0]}
          sources={sources}
          alt={shownTitle}
          width={image.width}
          height={image.height}
          className="share-file"
        />
      </div>
      <div className="share-main">
        {onTitle === undefined ? (
          <p className="text-h3 wrap-anywhere">{shownTitle}</p>
        ) : (
          <TitleField {...title} name={image.name} hasFocus={!isInPage && !hasTouch()} />
        )}
        {privateShare ?? (
          <PublicLink
            link={link}
            title={shownTitle}
            preview={loading.preview}
            first={formats.find(({ id }) => id === onTop)}
            onCopyFormat={copyFormat}
            hasFocus={!isInPage && (onTitle === undefined || hasTouch())}
          />
        )}
      </div>
      {isPublic && (
        <>
          <ChatPreview link={link} loading={loading} />
          <MoreFormats formats={formats} last={last} link={link} name={shownTitle} onCopy={copyFormat} />
        </>
      )}
    </div>
  )
}

interface PublicLinkProps {
  link: string
  title: string
  preview: LinkPreview | undefined
  /** What was copied last, beside the link. */
  first: ShareFormat | undefined
  onCopyFormat: (format: ShareFormat) => Promise<boolean>
  hasFocus: boolean
}

function PublicLink({ link, title, preview, first, onCopyFormat, hasFocus }: PublicLinkProps) {
  async function copyLink(): Promise<boolean> {
    const isCopied = await writeRichClipboard(link, linkHtml({ link, title, image: preview?.image }))
    if (isCopied) notify.success(actions.imageUrlCopied)
    else notify.error(copy.failed)
    return isCopied
  }

  return (
    <>
      <CopyButton
        ref={(button) => void button?.toggleAttribute('autofocus', hasFocus)}
        className="btn btn-primary btn-lg w-full"
        icon={<Link2 className="size-5" aria-hidden />}
        copied={copy.copied}
        onCopy={copyLink}
      >
        {texts.copyLink}
      </CopyButton>
      <a className="share-link" href={link} target="_blank" rel="noopener noreferrer">
        {link.replace(/^https?:\/\//, '')}
      </a>
      {(first !== undefined || canSend(link)) && (
        <div className="flex flex-wrap gap-2">
          {first !== undefined && (
            <CopyButton
              className="btn btn-quiet flex-1"
              icon={null}
              copied={copy.copied}
              onCopy={() => onCopyFormat(first)}
            >
              {first.isEmbed ? texts.copyEmbed(first.label) : texts.copyFormat(first.label)}
            </CopyButton>
          )}
          {canSend(link) && (
            <button type="button" className="btn btn-quiet flex-1" onClick={() => void send(link, title)}>
              <Send className="size-4" aria-hidden />
              {texts.toApp}
            </button>
          )}
        </div>
      )}
    </>
  )
}

/** There the keyboard of the screen would cover the sheet. */
const hasTouch = () => matchMedia('(pointer: coarse)').matches

interface TitleProps extends ReturnType<typeof useSavedTitle> {
  name: string
  hasFocus: boolean
}

function TitleField({ text, state, reason, save, change, name, hasFocus }: TitleProps) {
  const isFailed = state === 'failed'
  return (
    <div className="share-title">
      <label className="share-title-field">
        <span className="sr-only">{texts.imageTitle}</span>
        <input
          ref={(field) => void field?.toggleAttribute('autofocus', hasFocus)}
          value={text}
          placeholder={texts.addTitle}
          maxLength={limits.share.maxTitleLength}
          autoComplete="off"
          enterKeyHint="done"
          aria-invalid={isFailed}
          onChange={({ target }) => change(target.value)}
          onBlur={() => void save()}
          onKeyDown={(event) => event.key === 'Enter' && !event.nativeEvent.isComposing && void save()}
        />
        <Pencil className="size-4 shrink-0 text-text-3" aria-hidden />
      </label>
      <p className="flex min-h-[1.125rem] justify-between gap-3 text-meta text-text-2">
        {/* What is wrong needs the line. */}
        {!isFailed && <span className="truncate">{name}</span>}
        <span role="status" className={isFailed ? 'text-danger-text' : 'share-saved'}>
          {state === 'saved' && <Check className="size-3.5" aria-hidden />}
          {state !== 'unchanged' && texts[state]}
          {isFailed && reason !== '' && `. ${reason}`}
        </span>
      </p>
    </div>
  )
}

const canSend = (url: string) => 'canShare' in navigator && navigator.canShare({ url })

async function send(url: string, title: string): Promise<void> {
  try {
    await navigator.share({ url, title })
  } catch (error) {
    // The user closed the list of apps.
    if (error instanceof DOMException && error.name === 'AbortError') return
    console.info('Not shared; copying instead', error)
    await copyText(url, actions.imageUrlCopied)
  }
}
