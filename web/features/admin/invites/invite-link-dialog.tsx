import { Copy, TriangleAlert } from 'lucide-react'
import { useId } from 'react'
import { inviteLink as texts } from '../../../texts/invites-messages.ts'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { copyText } from '../../../ui/copy-text.ts'
import { Dialog } from '../../../ui/dialog.tsx'

/** Shows the link of a new invitation, once. */
export function InviteLinkDialog({ link, onClose }: { link: string; onClose: () => void }) {
  const [fieldId, textId] = [useId(), useId()]
  return (
    <Dialog title={texts.title} closeLabel={texts.done} describedBy={textId} isFirm onClose={onClose}>
      <div className="grid gap-1.5">
        <label className="font-medium" htmlFor={fieldId}>
          {texts.field}
        </label>
        <div className="flex flex-wrap gap-2">
          <input
            id={fieldId}
            className="field flex-[1_1_14rem] font-mono text-meta"
            readOnly
            value={link}
            spellCheck={false}
            autoComplete="off"
            onFocus={({ target }) => target.select()}
          />
          <CopyButton
            className="btn btn-primary coarse:h-12 max-xs:w-full"
            icon={<Copy className="size-4" aria-hidden />}
            copied={texts.copied}
            onCopy={() => copyText(link, texts.toast)}
          >
            {texts.copy}
          </CopyButton>
        </div>
      </div>
      <p id={textId} className="flex gap-2.5 rounded-control bg-warning-soft px-3.5 py-3 text-dense text-warning-text">
        <TriangleAlert className="mt-px size-4.5 shrink-0" aria-hidden />
        {texts.text}
      </p>
      <div className="flex justify-end">
        <button type="button" className="btn btn-quiet min-w-24 max-xs:w-full" onClick={onClose}>
          {texts.done}
        </button>
      </div>
    </Dialog>
  )
}
