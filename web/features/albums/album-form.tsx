import { useState } from 'react'
import type { Album } from '../../../contract/endpoints/albums.ts'
import { parseImageQuery } from '../../../contract/plain/image-query.ts'
import { limits } from '../../../contract/plain/limits.ts'
import { visibilities } from '../../../contract/plain/visibility.ts'
import { errorText } from '../../format/error-text.ts'
import { type AlbumChange, changeAlbum, createAlbum, pathTo, useAlbums } from '../../model/albums/albums.ts'
import { albumForm as texts } from '../../texts/albums/album-messages.ts'
import { search } from '../../texts/tags/search-messages.ts'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { Select } from '../../ui/forms/select.tsx'
import { TextField } from '../../ui/forms/text-field.tsx'
import { textIn, useSubmit } from '../../ui/forms/use-submit.ts'
import { notify } from '../../ui/toast/toast.ts'

interface NewProps {
  title: string
  /** Of a live album; null: of images that are added. */
  query: string | null
  /** The album around it. */
  parent?: Album
  onSaved: (album: Album) => void
  onClose: () => void
}

export const NewAlbumForm = ({ title, query, parent, onSaved, onClose }: NewProps) => (
  <AlbumForm
    title={title}
    submit={texts.create}
    busy={texts.creating}
    before={{ title: '', description: '', query, upload_visibility: null, parent_id: parent?.id ?? null }}
    save={async (change) => onSaved(await createAlbum(change))}
    onClose={onClose}
  />
)

export const EditAlbumForm = ({ album, onClose }: { album: Album; onClose: () => void }) => (
  <AlbumForm
    title={texts.editTitle}
    submit={texts.save}
    busy={texts.saving}
    before={album}
    album={album}
    save={(change) => save(album, change)}
    onClose={onClose}
  />
)

/** Members change the texts alone. */
async function save({ id, role }: Album, change: AlbumChange): Promise<void> {
  const { title, description } = change
  await changeAlbum(id, role === 'owner' ? change : { title, description })
  notify.success(texts.saved)
}

type Place = string

interface Props {
  title: string
  submit: string
  busy: string
  before: Pick<Album, 'title' | 'description' | 'query' | 'upload_visibility' | 'parent_id'>
  /** The one that is changed. */
  album?: Album
  save: (change: Parameters<typeof createAlbum>[0]) => Promise<void>
  onClose: () => void
}

/** Title, description and settings of an album. */
function AlbumForm({ title, submit, busy, before, album, save: send, onClose }: Props) {
  const { query } = before
  const isOwner = album === undefined || album.role === 'owner'
  const [visibility, setVisibility] = useState<string>(before.upload_visibility ?? 'account')
  const [parent, setParent] = useState<Place>(before.parent_id ?? '')
  const form = useSubmit<'title' | 'query'>({
    async send(element) {
      const named = textIn(element, 'title').trim()
      if (named === '') return { title: texts.missing }
      const typed = textIn(element, 'query').trim()
      const problem = query === null ? undefined : queryProblem(typed)
      if (problem !== undefined) return { query: problem }
      await send({
        title: named,
        description: textIn(element, 'description').trim(),
        upload_visibility: visibilities.find((one) => one === visibility) ?? null,
        parent_id: parent === '' ? null : parent,
        ...(query !== null && { query: typed }),
      })
      return ''
    },
    explain: (error) => errorText(error, texts.failed),
    refocus: 'title',
  })
  return (
    <FormDialog title={title} submit={submit} busy={busy} form={form} onClose={onClose}>
      <TextField
        name="title"
        label={texts.title}
        placeholder={texts.titleHint}
        defaultValue={before.title}
        maxLength={limits.albums.maxTitleLength}
        autoComplete="off"
        error={form.problems.title}
      />
      {query !== null && (
        <TextField
          name="query"
          label={texts.query}
          hint={texts.queryHint}
          defaultValue={query}
          maxLength={limits.list.maxQueryLength}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          error={form.problems.query}
        />
      )}
      <TextField
        name="description"
        label={texts.description}
        defaultValue={before.description}
        maxLength={limits.albums.maxDescriptionLength}
        autoComplete="off"
      />
      {isOwner && <Places album={album} value={parent} onChange={setParent} />}
      {isOwner && query === null && (
        <Select
          label={texts.visibility}
          hasLabel
          value={visibility}
          options={Object.entries(texts.visibilities)}
          onChange={setVisibility}
        />
      )}
    </FormDialog>
  )
}

function queryProblem(typed: string): string | undefined {
  if (typed === '') return texts.missingQuery
  const { problem } = parseImageQuery(typed)
  return problem && search.problem(problem.term, problem.expected)
}

interface PlacesProps {
  album: Album | undefined
  value: Place
  onChange: (value: Place) => void
}

/** The albums that it can be in: neither itself nor those inside it. */
function Places({ album, value, onChange }: PlacesProps) {
  const { data = [] } = useAlbums()
  const possible = data.filter(
    (one) => one.role === 'owner' && one.query === null && !pathTo(data, one.id).some(({ id }) => id === album?.id),
  )
  if (possible.length === 0) return null
  const named = possible
    .map(
      ({ id }) =>
        [
          id,
          pathTo(data, id)
            .map(({ title }) => title)
            .join(' / '),
        ] as const,
    )
    .toSorted(([, one], [, other]) => one.localeCompare(other, 'en'))
  return (
    <Select
      label={texts.parent}
      hasLabel
      value={value}
      options={[['', texts.noParent], ...named]}
      onChange={onChange}
    />
  )
}
