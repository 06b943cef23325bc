import { Copy, Download } from 'lucide-react'
import { useId } from 'react'
import { security } from '../../../texts/security-messages.ts'
import { copyText } from '../../../ui/copy/copy-text.ts'
import { CopyButton } from '../../../ui/copy/copy-button.tsx'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { useLeaveGuard } from '../../../ui/forms/use-leave-guard.ts'
import { saveBlob } from '../../../ui/save-blob.ts'
import { WarningText } from '../../../ui/warning-text.tsx'

const texts = security.recovery

/** Shows new recovery codes, once. New ones can be made at any time. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const textId = useId()
  useLeaveGuard(true)
  return (
    <Dialog title={texts.dialogTitle} describedBy={textId} isFirm onClose={onClose}>
      <WarningText id={textId}>{texts.once}</WarningText>
      <ul
        aria-label={texts.list}
        className="grid grid-cols-[repeat(auto-fit,minmax(15.5rem,1fr))] gap-x-6 gap-y-1 rounded-control bg-surface-2 px-4 py-3 font-mono text-dense"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap justify-end gap-3">
        <CopyButton
          className="btn btn-quiet max-xs:w-full"
          icon={<Copy className="size-4" aria-hidden />}
          copied={texts.copied}
          onCopy={() => copyText(codes.join('\n'), texts.copiedToast)}
        >
          {texts.copy}
        </CopyButton>
        <button type="button" className="btn btn-quiet max-xs:w-full" onClick={() => save(codes)}>
          <Download className="size-4" aria-hidden />
          {texts.download}
        </button>
        <button type="button" className="btn btn-primary max-xs:w-full" onClick={onClose}>
          {texts.done}
        </button>
      </div>
    </Dialog>
  )
}

const save = (codes: readonly string[]) =>
  saveBlob(
    new Blob([`${texts.fileHead(location.host)}\n\n${codes.join('\n')}\n`], { type: 'text/plain' }),
    texts.fileName,
  )
