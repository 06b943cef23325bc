// All links of the user: what they share, with whom, and until when.
import { Images, Link2, Pencil, QrCode as QrIcon, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Link } from '../../../contract/endpoints/links.ts'
import { paths } from '../../paths.ts'
import { dateAndTime, shortDate } from '../../format/dates.ts'
import { attempt } from '../../model/attempt.ts'
import { keyedSources, useSources } from '../../model/images/own-image.ts'
import { placeholderOf } from '../../model/images/stored-image.ts'
import { usePages } from '../../model/row-list.ts'
import { gallery } from '../../texts/gallery-messages.ts'
import { linkList as texts, linkSheet } from '../../texts/links/link-messages.ts'
import { CardRow, CardTable, Cell } from '../../ui/card-table.tsx'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx'
import { QrDialog } from '../../ui/qr/qr-dialog.tsx'
import { Select } from '../../ui/forms/select.tsx'
import { Link as AppLink } from '../../ui/link.tsx'
import { ListPanel } from '../../ui/list-panel/list-panel.tsx'
import { focusRow } from '../../ui/list-panel/row-focus.ts'
import { Skeletons } from '../../ui/list-panel/skeletons.tsx'
import { notify } from '../../ui/toast/toast.ts'
import { UndoBar } from '../../ui/undo/undo-bar.tsx'
import { type UndoableChange, useUndo } from '../../ui/undo/use-undo.ts'
import { useSource } from '../../ui/use-source.ts'
import { EditLinkDialog } from './edit-link-dialog.tsx'
import { LinkMarks, LinkState, nameOf } from './link-badges.tsx'
import { CopyLinkButton, RevokeButton, setRevoked } from './link-buttons.tsx'
import { deleteLink, linkList } from './links.ts'
import '../../styles/bars.css'
import './links.css'

const states = ['open', 'waiting', 'ended', 'revoked'] as const
type Filter = '' | (typeof states)[number]

/** Revoking can always be undone; the offer is for who pressed the wrong button. */
const undoMs = 10 * 60_000

type Opened = { dialog: 'edit' | 'qr' | 'delete'; link: Link }

export function LinkList() {
  const [state, setState] = useState<Filter>('')
  const list = usePages(linkList(state))
  const [opened, setOpened] = useState<Opened>()
  const [outcome, setOutcome] = useState('')
  const { add, ...changes } = useUndo(undoMs)
  const { rows } = list

  const remove = (link: Link) =>
    attempt(async () => {
      const at = rows.findIndex(({ id }) => id === link.id)
      await deleteLink(link.id)
      setOutcome(texts.deleted)
      focusRow('links', at)
    }, texts.deleteFailed)

  const close = () => setOpened(undefined)
  return (
    <>
      <ListPanel
        id="links"
        icon={Link2}
        texts={texts}
        list={list}
        isUntitled
        outcome={outcome}
        filters={
          (list.rows.length > 0 || state !== '') && (
            <Select
              label={texts.state}
              isFilter
              value={state}
              options={[['', texts.all], ...states.map((one): [Filter, string] => [one, texts.states[one]])]}
              onChange={setState}
            />
          )
        }
        onClear={state === '' ? undefined : () => setState('')}
        skeletons={<Skeletons count={4} className="h-18 max-md:h-44" />}
        first={
          <AppLink to={paths.dashboard} className="btn btn-quiet mt-4">
            {texts.toImages}
          </AppLink>
        }
      >
        <LinkTable links={rows} onOpen={setOpened} onRevoked={(link) => add(revocationOf(link))} />
      </ListPanel>
      <div className="bars">
        <UndoBar of={changes} />
      </div>
      {opened?.dialog === 'edit' && (
        <EditLinkDialog link={opened.link} onSaved={() => notify.success(texts.saved)} onClose={close} />
      )}
      {opened?.dialog === 'qr' && (
        <QrDialog
          title={texts.qr}
          link={opened.link.url}
          label={linkSheet.qrLabel(nameOf(opened.link))}
          onClose={close}
        />
      )}
      {opened?.dialog === 'delete' && (
        <ConfirmDialog
          title={texts.deleteTitle}
          subject={nameOf(opened.link)}
          confirm={texts.delete}
          busy={texts.deleting}
          isDanger
          onConfirm={() => remove(opened.link)}
          onClose={close}
        >
          <p>{texts.deleteText}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

const revocationOf = (link: Link): UndoableChange => ({
  text: texts.revoked,
  name: nameOf(link),
  undo: async () => ((await setRevoked(link, false)) ? undefined : revocationOf(link)),
})

interface TableProps {
  links: readonly Link[]
  onOpen: (opened: Opened) => void
  onRevoked: (link: Link) => void
}

const { columns } = texts

const LinkTable = ({ links, ...on }: TableProps) => (
  <CardTable
    label={texts.title}
    columns={[columns.link, columns.state, columns.views, columns.ends]}
    numbers={[columns.views]}
    actions={columns.actions}
  >
    {links.map((link) => (
      <CardRow key={link.id} head={<Target link={link} />} actions={<Actions link={link} {...on} />}>
        <Cell label={columns.state} isWide>
          <span className="flex flex-wrap gap-1">
            <LinkState link={link} />
            <LinkMarks link={link} />
          </span>
        </Cell>
        <Cell label={columns.views} isNumber>
          {link.last_viewed_at === null ? (
            <span className="text-text-2">{texts.notViewed}</span>
          ) : (
            <>
              {gallery.views(link.views)}
              <p className="link-detail">{texts.lastView(shortDate(link.last_viewed_at))}</p>
            </>
          )}
        </Cell>
        <Cell label={columns.ends}>
          {link.ends_at === null ? (
            <span className="text-text-2">{texts.never}</span>
          ) : (
            <time dateTime={link.ends_at} title={dateAndTime(link.ends_at)}>
              {shortDate(link.ends_at)}
            </time>
          )}
          {link.views_left !== null && <p className="link-detail">{texts.viewsLeft(link.views_left)}</p>}
        </Cell>
      </CardRow>
    ))}
  </CardTable>
)

const Target = ({ link }: { link: Link }) => (
  <span className="link-target">
    <span className="link-cover" aria-hidden>
      {link.cover === null ? <Images className="size-5" /> : <Cover key={link.cover.id} cover={link.cover} />}
    </span>
    <span className="min-w-0">
      <span className="block wrap-anywhere">{nameOf(link)}</span>
      <span className="link-detail block">
        {texts.images(link.images)} · {link.url.replace(/^https?:\/\/[^/]+/, '')}
      </span>
    </span>
  </span>
)

function Cover({ cover }: { cover: NonNullable<Link['cover']> }) {
  const thumbnails = useSources(cover, [cover.thumbnailUrl])
  const { source, onError } = useSource([...thumbnails, ...keyedSources(cover, [cover.url])])
  if (source === undefined) return <Images className="size-5" />
  return <img src={source} alt="" loading="lazy" decoding="async" style={placeholderOf(cover)} onError={onError} />
}

function Actions({ link, onOpen, onRevoked }: Omit<TableProps, 'links'> & { link: Link }) {
  const name = nameOf(link)
  const icons = [
    { dialog: 'qr', Icon: QrIcon, label: texts.qrNamed(name), isDanger: false },
    { dialog: 'edit', Icon: Pencil, label: texts.editNamed(name), isDanger: false },
    { dialog: 'delete', Icon: Trash2, label: texts.deleteNamed(name), isDanger: true },
  ] as const
  return (
    <div className="link-actions">
      <CopyLinkButton link={link} name={name} className="btn-quiet" />
      <RevokeButton link={link} name={name} hasIcon onRevoked={() => onRevoked(link)} />
      <span className="flex items-center gap-1">
        {icons.map(({ dialog, Icon, label, isDanger }) => (
          <button
            key={dialog}
            type="button"
            className={isDanger ? 'btn-icon btn-icon-sm btn-icon-danger' : 'btn-icon btn-icon-sm'}
            aria-label={label}
            title={label}
            aria-haspopup="dialog"
            onClick={() => onOpen({ dialog, link })}
          >
            <Icon className="size-4" aria-hidden />
          </button>
        ))}
      </span>
    </div>
  )
}
