import { useId, type ComponentProps } from 'react'
import { CopyField } from './copy-field.tsx'
import { Dialog } from '../dialog/dialog.tsx'
import { WarningText } from '../warning-text.tsx'

interface Props {
  texts: ComponentProps<typeof CopyField>['texts'] & { title: string; text: string; done: string }
  value: string
  onClose: () => void
}

/** Shows something new that cannot be shown again, but replaced at any time: a link or a secret. */
export function CopyOnceDialog({ texts, value, onClose }: Props) {
  const textId = useId()
  return (
    <Dialog title={texts.title} describedBy={textId} isFirm onClose={onClose}>
      <CopyField texts={texts} value={value} isPrimary />
      <WarningText id={textId}>{texts.text}</WarningText>
      <div className="flex justify-end">
        <button type="button" className="btn btn-quiet min-w-24 max-xs:w-full" onClick={onClose}>
          {texts.done}
        </button>
      </div>
    </Dialog>
  )
}
