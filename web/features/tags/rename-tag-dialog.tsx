import { useState } from 'react'
import { limits } from '../../../contract/plain/limits.ts'
import { isWithinTag, normalizeTag } from '../../../contract/plain/tag-names.ts'
import { errorText } from '../../format/error-text.ts'
import { ApiError } from '../../model/api-error.ts'
import { tagRename as texts } from '../../texts/tags/tag-list-messages.ts'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { TextField } from '../../ui/forms/text-field.tsx'
import { useSubmit } from '../../ui/forms/use-submit.ts'
import { canBeRemembered, rememberTag, renameTag, restoreTag } from './tags.ts'

interface Props {
  tag: string
  /** @param restore undefined: too many images to undo it */
  onDone: (text: string, restore?: () => Promise<unknown>) => void
  onClose: () => void
}

/** Renames a tag. Where there is one of the new name, both can become one. */
export function RenameTagDialog({ tag, onDone, onClose }: Props) {
  const [name, setName] = useState(tag)
  /** The new name that another tag has. */
  const [taken, setTaken] = useState<{ name: string; isForGood: boolean }>()
  const newName = normalizeTag(name)
  const isMerge = taken !== undefined && taken.name === newName
  const { problems, ...form } = useSubmit<'name'>({
    async send() {
      if (newName === undefined) return { name: texts.invalid }
      if (newName === tag) return undefined
      if (isWithinTag(newName, tag)) return { name: texts.within(tag) }
      if (isMerge) return merge(newName, taken.isForGood)
      try {
        await renameTag(tag, newName)
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'tag_exists') throw error
        setTaken({ name: newName, isForGood: !(await canBeRemembered(tag)) })
        return {}
      }
      onDone(texts.renamed(tag, newName), () => renameTag(newName, tag))
      return undefined
    },
    explain: (error) => errorText(error, texts.failed),
  })

  /** @param isForGood the question has said so */
  async function merge(into: string, isForGood: boolean) {
    const before = await rememberTag(tag)
    if (before === undefined && !isForGood) {
      setTaken({ name: into, isForGood: true })
      return {}
    }
    await renameTag(tag, into, true)
    onDone(texts.merged(tag, into), before && (() => restoreTag(before, into)))
    return undefined
  }

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
        {isMerge && (taken.isForGood ? texts.existsForGood(tag, taken.name) : texts.exists(taken.name))}
      </p>
    </FormDialog>
  )
}
