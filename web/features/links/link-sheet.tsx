// Shares an album, images or one image: one button that makes a link and copies it, and options that few people need.
import { Eye, Link2, Lock } from 'lucide-react'
import { useRef, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { Link } from '../../../contract/endpoints/links.ts'
import { shortDate } from '../../format/dates.ts'
import { errorText } from '../../format/error-text.ts'
import { queryClient } from '../../model/query-client.ts'
import { copy } from '../../texts/gallery-messages.ts'
import { linkList, linkOptions, linkSheet as texts } from '../../texts/links/link-messages.ts'
import { CopyButton } from '../../ui/copy/copy-button.tsx'
import { copyText } from '../../ui/copy/copy-text.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { FormFailure } from '../../ui/forms/form-outcome.tsx'
import { notify } from '../../ui/toast/toast.ts'
import { useAction } from '../../ui/use-action.ts'
import { ExistingLinks } from './existing-links.tsx'
import {
  createdBy,
  type DraftProblems,
  endOf,
  isDefault,
  type LinkDraft,
  limitsFiles,
  newDraft,
  problemsOf,
} from './link-draft.ts'
import { createLink, linksTo, type LinkTarget, makePrivate, plainLinkTo, publicImages, updateLink } from './links.ts'
import { OptionRows } from './option-rows.tsx'
import { SmallButton } from '../../ui/small-button.tsx'
import { QrCode } from '../../ui/qr/qr-code.tsx'
import './links.css'

interface Props {
  target: LinkTarget
  onClose: () => void
}

export function LinkSheet({ target, onClose }: Props) {
  const [draft, setDraft] = useState(() => newDraft(target.kind === 'album' && target.hasPrivate))
  const [problems, setProblems] = useState<DraftProblems>({})
  const copyButton = useRef<HTMLButtonElement>(null)
  const { made, failure, forget, copyLink, showPrivate } = useMadeLink(target)
  const isMade = made?.of === JSON.stringify(draft)
  const name = target.kind === 'album' ? texts.ofAlbum(target.title) : texts.ofImages(target.images.length)

  /** The pressed button is gone. */
  const returnFocus = () => copyButton.current?.focus()

  async function press(): Promise<boolean> {
    const found = problemsOf(draft, Date.now())
    setProblems(found)
    return Object.keys(found).length === 0 && copyLink(draft)
  }

  return (
    <Dialog title={texts.title} onClose={onClose} size="wide">
      <div className="link-sheet">
        <div>
          <p className="text-h3 wrap-anywhere">{name}</p>
          <CopyButton
            ref={(button) => {
              copyButton.current = button
              button?.toggleAttribute('autofocus', true)
            }}
            className="btn btn-primary btn-lg w-full"
            icon={<Link2 className="size-5" aria-hidden />}
            copied={copy.copied}
            onCopy={press}
          >
            {texts.copyLink}
          </CopyButton>
          {failure !== undefined && <FormFailure text={failure} />}
          <p className="text-meta text-text-2">{whoSees(draft)}</p>
          {isMade && <MadeLink link={made.link} name={name} />}
          {isMade && target.kind === 'album' && made.link.images === 0 && (
            <NothingNote
              reason={target.images === 0 ? 'empty' : made.link.shows_private ? 'other' : 'private'}
              onShow={async () => {
                await showPrivate({ ...draft, showsPrivate: true })
                setDraft((current) => ({ ...current, showsPrivate: true }))
                returnFocus()
              }}
            />
          )}
          {limitsFiles(draft) && <PublicNote target={target} onDone={returnFocus} />}
        </div>
        <OptionRows
          draft={draft}
          problems={problems}
          onChange={(changed) => {
            setDraft(changed)
            forget()
            setProblems({})
          }}
        />
        <Existing target={target} />
      </div>
    </Dialog>
  )
}

/** The link that the last click has made, and from which options: the next click copies the same. Or why there is none. */
function useMadeLink(target: LinkTarget) {
  const [made, setMade] = useState<{ link: Link; of: string }>()
  const [failure, setFailure] = useState<string>()

  async function linkOf(draft: LinkDraft): Promise<Link> {
    const of = JSON.stringify(draft)
    if (made?.of === of) return made.link
    const options = createdBy(draft, Date.now())
    const link = await (isDefault(draft) ? plainLinkTo(target, options) : createLink(target, options))
    setMade({ link, of })
    return link
  }

  async function copyLink(draft: LinkDraft): Promise<boolean> {
    setFailure(undefined)
    try {
      return await copyText((await linkOf(draft)).url, texts.copied)
    } catch (error) {
      console.info('No link was made', error)
      setFailure(errorText(error, texts.failed))
      return false
    }
  }

  /** The link that was copied shows private images from now on. @param draft as the link is then */
  async function showPrivate(draft: LinkDraft): Promise<void> {
    if (made === undefined) return
    setMade({ link: await updateLink(made.link.id, { shows_private: true }), of: JSON.stringify(draft) })
  }
  return { made, failure, forget: () => setFailure(undefined), copyLink, showPrivate }
}

function whoSees(draft: LinkDraft): string {
  const end = endOf(draft, Date.now())
  const hasPassword = draft.password !== ''
  if (end === null) return hasPassword ? texts.protected : texts.open
  const date = shortDate(new Date(end).toISOString())
  return hasPassword ? texts.protectedUntil(date) : texts.until(date)
}

const MadeLink = ({ link: { url }, name }: { link: Link; name: string }) => (
  <figure className="link-made">
    <QrCode text={url} label={texts.qrLabel(name)} />
    <figcaption>
      <a className="link" href={url} target="_blank" rel="noopener noreferrer">
        {url.replace(/^https?:\/\//, '')}
      </a>
    </figcaption>
  </figure>
)

/** Who shares an album wants something of it to be seen. */
function NothingNote({ reason, onShow }: { reason: keyof typeof texts.showsNothing; onShow: () => Promise<void> }) {
  const { isBusy, run } = useAction(notify.failure)
  return (
    <div className="link-note" role="status">
      <p>{texts.showsNothing[reason]}</p>
      {reason === 'private' && (
        <SmallButton
          icon={Eye}
          text={linkOptions.showsPrivate}
          // Not disabled meanwhile: it would lose the focus.
          onPress={() => isBusy || void run(onShow, (error) => errorText(error, linkList.saveFailed))}
        />
      )}
    </div>
  )
}

/** A limit of the link does not hold for what has an address of its own. */
function PublicNote({ target, onDone }: { target: LinkTarget; onDone: () => void }) {
  const [isDone, setDone] = useState(false)
  const { isBusy, run } = useAction(notify.failure)
  const shown = publicImages(target)
  if (isDone || shown?.length === 0) return null
  return (
    <div className="link-note" role="note">
      <p>{shown === null ? texts.publicAlbumNote : texts.publicNote(shown.length)}</p>
      <SmallButton
        icon={Lock}
        text={texts.makePrivate(shown?.length ?? 2)}
        onPress={() =>
          isBusy ||
          void run(
            async () => {
              notify.success(texts.madePrivate(await makePrivate(target)))
              setDone(true)
              onDone()
            },
            (error) => errorText(error, texts.makePrivateFailed),
          )
        }
      />
    </div>
  )
}

function Existing({ target }: { target: LinkTarget }) {
  const { data = [], isError, refetch } = useQuery(linksTo(target), queryClient)
  return <ExistingLinks links={data} isFailed={isError} onRetry={refetch} />
}
