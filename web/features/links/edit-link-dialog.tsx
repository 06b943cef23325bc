import { useState } from 'react'
import type { Link } from '../../../contract/endpoints/links.ts'
import { errorText } from '../../format/error-text.ts'
import { linkList as texts } from '../../texts/links/link-messages.ts'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { useSubmit } from '../../ui/forms/use-submit.ts'
import { changedBy, type DraftProblems, draftOf, problemsOf } from './link-draft.ts'
import { type LinkChange, updateLink } from './links.ts'
import { OptionRows } from './option-rows.tsx'

interface Props {
  link: Link
  onSaved: (link: Link) => void
  onClose: () => void
}

export function EditLinkDialog({ link, onSaved, onClose }: Props) {
  const [before] = useState(() => draftOf(link))
  const [draft, setDraft] = useState(before)
  const [problems, setProblems] = useState<DraftProblems>({})

  const { problems: _, ...form } = useSubmit({
    async send() {
      // An end that was not changed may have passed.
      const isEndKept = before.ends === draft.ends && before.date === draft.date
      const found = problemsOf(isEndKept ? { ...draft, ends: 'never' } : draft, Date.now())
      setProblems(found)
      if (Object.keys(found).length > 0) return found
      const change: LinkChange = changedBy(before, draft, Date.now())
      if (Object.keys(change).length > 0) onSaved(await updateLink(link.id, change))
      return undefined
    },
    explain: (error) => errorText(error, texts.saveFailed),
  })

  return (
    <FormDialog
      title={texts.editTitle}
      submit={texts.save}
      busy={texts.saving}
      form={form}
      buttons="large"
      onClose={onClose}
    >
      <OptionRows
        draft={draft}
        problems={problems}
        onChange={(changed) => {
          setDraft(changed)
          setProblems({})
        }}
      />
    </FormDialog>
  )
}
