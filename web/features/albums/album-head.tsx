import { ArrowDownUp, Ellipsis, Users } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useLocation } from 'wouter'
import type { Album } from '../../../contract/endpoints/albums.ts'
import { limits } from '../../../contract/plain/limits.ts'
import { albumPath, paths } from '../../paths.ts'
import { errorText } from '../../format/error-text.ts'
import { type AlbumOrder, canManage, changeAlbum, isLive, isOwn, pathTo, sortAlbum } from '../../model/albums/albums.ts'
import { albumForm, albumPage as texts, albums as albumTexts } from '../../texts/albums/album-messages.ts'
import { albumSharing } from '../../texts/albums/member-messages.ts'
import { ViewSwitch } from '../../ui/forms/view-switch.tsx'
import { Link } from '../../ui/link.tsx'
import { ChoiceMenu } from '../../ui/menu/choice-menu.tsx'
import { notify } from '../../ui/toast/toast.ts'
import { EditAlbumForm, NewAlbumForm } from './album-form.tsx'
import { marksOf } from './album-tile.tsx'
import { DeleteAlbumDialog } from './delete-album-dialog.tsx'
import { EditableText } from './editable-text.tsx'
import { LeaveDialog } from './remove-member-dialog.tsx'

interface Props {
  album: Album
  albums: readonly Album[]
  view: 'grid' | 'list'
  onView: (view: 'grid' | 'list') => void
  /** Further buttons, such as the one that shares the album. */
  children?: ReactNode
}

/** Where an album is, what it says about itself, and what can be done with it as a whole. */
export function AlbumHead({ album, albums, view, onView, children }: Props) {
  const [, navigate] = useLocation()
  const [dialog, setDialog] = useState<'edit' | 'inside' | 'delete' | 'leave'>()
  const isManaged = canManage(album)
  const parent = pathTo(albums, album.id).at(-2)
  // Of an album inside a shared one, the one around it is left.
  const mayLeave = !isOwn(album) && parent === undefined
  const close = () => setDialog(undefined)
  return (
    <>
      <Breadcrumbs path={pathTo(albums, album.id).slice(0, -1)} />
      <div className="album-head">
        <HeadTexts album={album} />
        <div className="album-buttons">
          {children}
          {isManaged && !isLive(album) && album.images > 1 && <SortMenu album={album} />}
          <ViewSwitch view={view} onView={onView} />
          {(isManaged || mayLeave) && (
            <span className="flex">
              <ChoiceMenu
                label={texts.more}
                className="btn-icon"
                icon={<Ellipsis className="size-5" aria-hidden />}
                choices={[
                  ...(isManaged ? [{ id: 'edit', label: texts.edit, run: () => setDialog('edit') }] : []),
                  ...(isOwn(album)
                    ? [
                        { id: 'inside', label: texts.newInside, run: () => setDialog('inside') },
                        { id: 'delete', label: texts.delete, run: () => setDialog('delete') },
                      ]
                    : []),
                  ...(mayLeave ? [{ id: 'leave', label: albumSharing.leave, run: () => setDialog('leave') }] : []),
                ]}
              />
            </span>
          )}
        </div>
      </div>
      {dialog === 'edit' && <EditAlbumForm album={album} onClose={close} />}
      {dialog === 'inside' && (
        <NewAlbumForm
          title={albumForm.newInside(album.title)}
          query={null}
          parent={album}
          onSaved={({ id }) => navigate(albumPath(id))}
          onClose={close}
        />
      )}
      {dialog === 'delete' && (
        <DeleteAlbumDialog
          album={album}
          onDeleted={() => navigate(parent === undefined ? paths.albums : albumPath(parent.id), { replace: true })}
          onClose={close}
        />
      )}
      {dialog === 'leave' && (
        <LeaveDialog album={album} onLeft={() => navigate(paths.albums, { replace: true })} onClose={close} />
      )}
    </>
  )
}

function HeadTexts({ album }: { album: Album }) {
  return (
    <div className="min-w-0">
      {canManage(album) ? (
        <EditableText
          text={album.title}
          label={texts.renamed}
          edit={texts.rename(album.title)}
          placeholder=""
          maxLength={limits.albums.maxTitleLength}
          isRequired
          isTitle
          onSave={(title) => changeAlbum(album.id, { title })}
        />
      ) : (
        <h1 className="text-title wrap-anywhere">{album.title}</h1>
      )}
      {canManage(album) ? (
        <EditableText
          text={album.description}
          label={texts.describe}
          edit={texts.describe}
          placeholder={texts.addDescription}
          maxLength={limits.albums.maxDescriptionLength}
          className="text-text-2"
          onSave={(description) => changeAlbum(album.id, { description })}
        />
      ) : (
        album.description !== '' && <p className="text-text-2 wrap-anywhere">{album.description}</p>
      )}
      <p className="album-meta mt-1">
        {albumTexts.images(album.images)}
        {headMarksOf(album).map(({ text, icon }) => (
          <span key={text} className="album-mark">
            {icon}
            {text}
          </span>
        ))}
        {album.query !== null && <code className="album-query">{album.query}</code>}
      </p>
    </div>
  )
}

/** The role is said here alone: it takes more room than a tile has. */
const headMarksOf = (album: Album) =>
  isOwn(album)
    ? marksOf(album)
    : [...marksOf({ ...album, role: 'owner' }), { text: albumSharing.byWithRole(album), icon: <Users aria-hidden /> }]

function Breadcrumbs({ path }: { path: readonly Album[] }) {
  return (
    <nav aria-label={texts.path}>
      <ol className="album-path">
        <li>
          <Link to={paths.albums} className="link">
            {albumTexts.title}
          </Link>
        </li>
        {path.map(({ id, title }) => (
          <li key={id}>
            <Link to={albumPath(id)} className="link">
              {title}
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  )
}

const orders = Object.keys(texts.sorts) as AlbumOrder[]

function SortMenu({ album }: { album: Album }) {
  async function sort(by: AlbumOrder): Promise<void> {
    try {
      await sortAlbum(album.id, by)
      notify.success(texts.sorted)
    } catch (error) {
      notify.failure(errorText(error, texts.sortFailed), error)
    }
  }
  return (
    <span className="flex">
      <ChoiceMenu
        label={texts.sort}
        className="btn btn-quiet"
        icon={
          <>
            <ArrowDownUp className="size-4" aria-hidden />
            <span className="max-xs:hidden">{texts.sort}</span>
          </>
        }
        choices={orders.map((by) => ({ id: by, label: texts.sorts[by], run: () => void sort(by) }))}
      />
    </span>
  )
}
