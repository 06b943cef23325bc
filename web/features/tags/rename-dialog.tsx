import { useState } from 'react'
import { limits } from '../../../contract/plain/limits.ts'
import { isWithinTag, normalizeTag } from '../../../contract/plain/tag-names.ts'
import { ApiError, errorText } from '../../model/api-error.ts'
import { tagRename as texts } from '../../texts/tags/tag-list-messages.ts'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { TextField } from '../../ui/forms/text-field.tsx'
import { useSubmit } from '../../ui/forms/use-submit.ts'
import { rememberTag, renameTag, restoreTag } from './tags.ts'

interface Props {
  tag: string
  /** @param restore undefined: too many images to undo it */
  onDone: (text: string, restore?: () => Promise<unknown>) => void
  onClose: () => void
}

/** Renames a tag. Where there is one of the new name, both can become one. */
export function RenameDialog({ tag, onDone, onClose }: Props) {
  const [name, setName] = useState(tag)
  /** The new name that another tag has. */
  const [taken, setTaken] = useState<string>()
  const newName = normalizeTag(name)
  const isMerge = taken !== undefined && taken === newName
  const { problems, ...form } = useSubmit<'name'>({
    async send() {
      if (newName === undefined) return { name: texts.invalid }
      if (newName === tag) return undefined
      if (isWithinTag(newName, tag)) return { name: texts.within(tag) }
      const before = isMerge ? await rememberTag(tag) : undefined
      await renameTag(tag, newName, isMerge)
      if (!isMerge) onDone(texts.renamed(tag, newName), () => renameTag(newName, tag))
      else onDone(texts.merged(tag, newName), before && (() => restoreTag(before, newName)))
      return undefined
    },
    explain(error) {
      if (!(error instanceof ApiError) || error.code !== 'tag_exists' || newName === undefined)
        return errorText(error, texts.failed)
      setTaken(newName)
      return {}
    },
  })
  return (
    <FormDialog
      title={texts.title}
      submit={isMerge ? texts.merge : texts.save}
      busy={texts.saving}
      form={form}
      size="small"
      onClose={onClose}
    >
      <TextField
        name="name"
        label={texts.name}
        hint={texts.hint}
        error={problems.name}
        value={name}
        maxLength={limits.tags.maxLength}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onChange={({ target }) => setName(target.value)}
      />
      <p
        role="status"
        className="rounded-tile bg-warning-soft px-3 py-2 text-dense text-warning-text wrap-anywhere empty:hidden"
      >
        {isMerge && texts.exists(taken)}
      </p>
    </FormDialog>
  )
}
