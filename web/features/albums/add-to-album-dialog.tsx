import { FolderPlus } from 'lucide-react'
import { useEffect, useEffectEvent, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import type { Album } from '../../../contract/endpoints/albums.ts'
import type { Image } from '../../../contract/endpoints/images.ts'
import { limits } from '../../../contract/plain/limits.ts'
import { shortDate } from '../../format/dates.ts'
import { errorText } from '../../format/error-text.ts'
import { troubleOf } from '../../model/api-error.ts'
import { canAdd, pathTo, useAlbums } from '../../model/albums/albums.ts'
import { releaseKeys } from '../../model/held-keys.ts'
import { addDialog as texts, inAlbum } from '../../texts/albums/adding-messages.ts'
import { albumForm, albums as albumTexts } from '../../texts/albums/album-messages.ts'
import { common } from '../../texts/messages.ts'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { TextField } from '../../ui/forms/text-field.tsx'
import { useSubmit } from '../../ui/forms/use-submit.ts'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { notify } from '../../ui/toast/toast.ts'
import type { UndoableChange } from '../../ui/undo/use-undo.ts'
import { addImages } from './album-changes.ts'
import { AlbumCover } from './album-cover.tsx'
import { ListLoading } from './list-loading.tsx'
import './albums.css'

interface Props {
  /** At least one. */
  images: readonly Image[]
  onChanged: (change: UndoableChange) => void
  onClose: () => void
}

/** Puts images into albums, existing or new. */
export function AddToAlbumDialog({ images, onChanged, onClose }: Props) {
  const listId = useId()
  const field = useRef<HTMLInputElement>(null)
  const { data, error, refetch } = useAlbums()
  const [typed, setTyped] = useState('')
  /** Enter was pressed: it waits for the albums, since it may mean one of them. */
  const [isEntered, setEntered] = useState(false)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [made, setMade] = useState<readonly string[]>([])
  const known = (data ?? []).filter(canAdd)
  const wanted = typed.trim()
  const found = known.filter(({ title }) => title.toLowerCase().includes(wanted.toLowerCase()))
  const first = wanted === '' ? undefined : found[0]
  const count = chosen.size + made.length
  const isLoading = data === undefined && error === null
  const defaultTitle = albumForm.dated(shortDate(new Date().toISOString()))

  function toggle({ id }: Album): void {
    setTyped('')
    setChosen((before) =>
      before.has(id) ? new Set([...before].filter((one) => one !== id)) : new Set([...before, id]),
    )
  }

  function make(title: string): void {
    setTyped('')
    setMade((before) => (before.includes(title) ? before : [...before, title]))
  }

  /** It is chosen from now on like those that were there before. */
  function onMade({ id, title }: Album): void {
    setTyped('')
    setMade((before) => before.filter((one) => one !== title))
    setChosen((before) => new Set([...before, id]))
  }

  /** Without a text, Enter is that of the form. */
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || wanted === '' || event.nativeEvent.isComposing) return
    event.preventDefault()
    setEntered(true)
  }

  // What was typed while this script was loading.
  useEffect(() => {
    const held = releaseKeys()
    setTyped(held.text)
    setEntered(held.isEntered && held.text.trim() !== '')
  }, [])

  const form = useSubmit({
    async send() {
      const titles = wanted !== '' && first === undefined ? [...made, wanted] : made
      if (chosen.size + titles.length === 0) throw new NothingChosen()
      const change = await addImages(
        images,
        known.filter(({ id }) => chosen.has(id)),
        titles,
        onMade,
      )
      if (change === undefined) notify.success(inAlbum.alreadyIn)
      else onChanged(change)
      return ''
    },
    explain: (problem) => (problem instanceof NothingChosen ? texts.nothing : errorText(problem, texts.failed)),
  })

  /** Chooses what is typed. A title that nothing else could mean is made at once. */
  const enter = useEffectEvent(() => {
    setEntered(false)
    if (first !== undefined && !chosen.has(first.id)) toggle(first)
    else if (first !== undefined || count > 0) make(wanted)
    // The disabled button would not stop a second Enter here.
    else if (!form.isBusy) field.current?.form?.requestSubmit()
  })
  useEffect(() => {
    if (isEntered && !isLoading) enter()
  }, [isEntered, isLoading])

  const isKnown = found.some(({ title }) => title === wanted)
  const isMaking = count === 0 && wanted !== '' && first === undefined
  return (
    <FormDialog
      title={texts.title(images.length)}
      submit={isMaking ? texts.make : texts.submit(count)}
      busy={texts.busy}
      form={form}
      isLocked={isLoading}
      onClose={onClose}
    >
      <TextField
        ref={field}
        label={texts.find}
        value={typed}
        hint={first === undefined ? undefined : texts.hint}
        maxLength={limits.albums.maxTitleLength}
        autoComplete="off"
        aria-controls={listId}
        onChange={({ target }) => {
          setTyped(target.value)
          setEntered(false)
        }}
        onKeyDown={onKeyDown}
      />
      {error !== null && data === undefined && (
        <LoadFailure title={albumTexts.failed} {...troubleOf(error)} onRetry={refetch} isBar />
      )}
      {isLoading && <ListLoading text={common.loading} />}
      <ul id={listId} className="album-choices" aria-label={texts.list} aria-busy={isLoading}>
        {/* Above all others: it must not be scrolled for. */}
        {wanted === '' && made.length === 0 && <NewChoice title={defaultTitle} onPress={() => make(defaultTitle)} />}
        {made.map((title) => (
          <li key={title}>
            <Choice title={title} isChosen onToggle={() => setMade(made.filter((one) => one !== title))}>
              <span className="album-cover album-cover-blank">
                <FolderPlus strokeWidth={1.5} aria-hidden />
              </span>
              <span className="album-title">{texts.new(title)}</span>
            </Choice>
          </li>
        ))}
        {found.map((album) => (
          <li key={album.id}>
            <Choice title={album.title} isChosen={chosen.has(album.id)} onToggle={() => toggle(album)}>
              <AlbumCover album={album} />
              <span className="min-w-0">
                <span className="album-title">
                  {pathTo(data ?? [], album.id)
                    .map(({ title }) => title)
                    .join(' / ')}
                </span>
                <span className="album-meta">{albumTexts.images(album.images)}</span>
              </span>
            </Choice>
          </li>
        ))}
        {wanted !== '' && !isKnown && <NewChoice title={wanted} onPress={() => make(wanted)} />}
      </ul>
    </FormDialog>
  )
}

class NothingChosen extends Error {}

/** Makes a new album one of the chosen. */
const NewChoice = ({ title, onPress }: { title: string; onPress: () => void }) => (
  <li>
    <button type="button" className="album-choice" onClick={onPress}>
      <span className="album-cover album-cover-blank">
        <FolderPlus strokeWidth={1.5} aria-hidden />
      </span>
      <span className="album-title">{texts.new(title)}</span>
    </button>
  </li>
)

interface ChoiceProps {
  title: string
  isChosen: boolean
  onToggle: () => void
  children: ReactNode
}

function Choice({ title, isChosen, onToggle, children }: ChoiceProps) {
  return (
    <label className="album-choice" data-selected={isChosen || undefined}>
      {children}
      <input type="checkbox" className="checkbox-box" aria-label={title} checked={isChosen} onChange={onToggle} />
    </label>
  )
}
