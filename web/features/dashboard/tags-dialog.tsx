import { useState } from 'react'
import type { Image } from '../../../contract/endpoints/images.ts'
import { errorText } from '../../format/error-text.ts'
import { changeTags, findTags, sharedTags, type TagChange } from '../../model/images/tags.ts'
import { paths } from '../../paths.ts'
import { tags as texts } from '../../texts/tags/tag-messages.ts'
import { TagField } from '../../ui/combobox/tag-field.tsx'
import { Link } from '../../ui/link.tsx'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { useSubmit } from '../../ui/forms/use-submit.ts'
import { notify } from '../../ui/toast/toast.ts'

interface Props {
  /** At least one. */
  images: readonly Image[]
  /** Offers to undo the changes. */
  onChanged: (text: string, undo: readonly TagChange[]) => void
  onClose: () => void
}

/** The tags of one or several images. What only some have stays as it is unless it is added to all. */
export function TagsDialog({ images, onChanged, onClose }: Props) {
  const [before] = useState(() => sharedTags(images))
  const [tags, setTags] = useState(before.all)
  const form = useSubmit({
    async send() {
      const add = tags.filter((tag) => !before.all.includes(tag))
      const remove = before.all.filter((tag) => !tags.includes(tag))
      const undo =
        add.length + remove.length === 0 ? [] : await changeTags({ ids: images.map(({ id }) => id), add, remove })
      const count = undo.reduce((sum, { ids }) => sum + ids.length, 0)
      if (count > 0) onChanged(texts.changed(count), undo)
      else notify.success(texts.unchanged)
      return ''
    },
    explain: (error) => errorText(error, texts.failed),
  })
  return (
    <FormDialog
      title={texts.dialogTitle(images.length)}
      submit={texts.save}
      busy={texts.saving}
      form={form}
      onClose={onClose}
    >
      <TagField tags={tags} onChange={setTags} some={before.some} of={images.length} suggest={findTags} />
      <p className="text-dense">
        <Link className="link" to={paths.tags}>
          {texts.manage}
        </Link>
      </p>
    </FormDialog>
  )
}
