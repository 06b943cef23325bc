import { useState } from 'react'
import type { Album } from '../../../contract/endpoints/albums.ts'
import { parseImageQuery } from '../../../contract/plain/image-query.ts'
import { limits } from '../../../contract/plain/limits.ts'
import { visibilities } from '../../../contract/plain/visibility.ts'
import { errorText } from '../../model/api-error.ts'
import { type AlbumChange, changeAlbum, createAlbum, pathTo, useAlbums } from '../../model/albums/albums.ts'
import { albumForm as texts } from '../../texts/albums/album-messages.ts'
import { search } from '../../texts/tags/search-messages.ts'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { Select } from '../../ui/forms/select.tsx'
import { TextField } from '../../ui/forms/text-field.tsx'
import { textIn, useSubmit } from '../../ui/forms/use-submit.ts'
import { notify } from '../../ui/toast/toast.ts'

interface NewProps {
  kind: 'new'
  title: string
  /** Of a live album; null: of images that are added. */
  query: string | null
  /** The album around it. */
  parent?: Album
  onSaved: (album: Album) => void
  onClose: () => void
}

interface EditProps {
  kind: 'edit'
  album: Album
  onClose: () => void
}

type Field = 'title' | 'query'
type Place = string

/** Title, description and settings of an album: a new one, or one that is changed. */
export function AlbumForm(props: NewProps | EditProps) {
  const before = props.kind === 'edit' ? props.album : undefined
  const query = props.kind === 'edit' ? props.album.query : props.query
  const [visibility, setVisibility] = useState<string>(before?.upload_visibility ?? 'account')
  const [parent, setParent] = useState<Place>(before?.parent_id ?? (props.kind === 'new' ? props.parent?.id : '') ?? '')
  const form = useSubmit<Field>({
    async send(element) {
      const title = textIn(element, 'title').trim()
      if (title === '') return { title: texts.missing }
      const typed = textIn(element, 'query').trim()
      const { problem } = parseImageQuery(typed)
      if (query !== null && typed === '') return { query: texts.missingQuery }
      if (query !== null && problem !== undefined) return { query: search.problem(problem.term, problem.expected) }
      const change = {
        title,
        description: textIn(element, 'description').trim(),
        upload_visibility: visibilities.find((one) => one === visibility) ?? null,
        parent_id: parent === '' ? null : parent,
        ...(query !== null && { query: typed }),
      }
      if (props.kind === 'new') props.onSaved(await createAlbum(change))
      else await save(props.album, change)
      return ''
    },
    explain: (error) => errorText(error, texts.failed),
    refocus: 'title',
  })
  return (
    <FormDialog
      title={props.kind === 'edit' ? texts.editTitle : props.title}
      submit={props.kind === 'edit' ? texts.save : texts.create}
      busy={props.kind === 'edit' ? texts.saving : texts.creating}
      form={form}
      onClose={props.onClose}
    >
      <TextField
        name="title"
        label={texts.title}
        placeholder={texts.titleHint}
        defaultValue={before?.title ?? ''}
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
        defaultValue={before?.description ?? ''}
        maxLength={limits.albums.maxDescriptionLength}
        autoComplete="off"
      />
      {(before === undefined || before.role === 'owner') && (
        <Places album={before} value={parent} onChange={setParent} />
      )}
      {query === null && (before === undefined || before.role === 'owner') && (
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

/** Members change the texts alone. */
async function save(album: Album, change: AlbumChange): Promise<void> {
  const { title, description } = change
  await changeAlbum(album.id, album.role === 'owner' ? change : { title, description })
  notify.success(texts.saved)
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
