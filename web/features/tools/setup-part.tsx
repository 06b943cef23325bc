import { clsx } from 'clsx'
import { Copy, Download } from 'lucide-react'
import { useId } from 'react'
import type { SetupPart as Part } from '../../../contract/client-setups/setup.ts'
import { tools } from '../../texts/tools-messages.ts'
import { CopyButton } from '../../ui/copy/copy-button.tsx'
import { copyText } from '../../ui/copy/copy-text.ts'
import { saveBlob } from '../../ui/save-blob.ts'

interface Props {
  part: Part
  isReady: boolean
  onTaken: () => void
}

/** A file or value with its copy button; a file can be downloaded too. */
export function SetupPart({ part: { label, text, fileName }, isReady, onTaken }: Props) {
  const id = useId()

  async function copy(): Promise<boolean> {
    const isCopied = await copyText(text, tools.copiedToast(label))
    if (isCopied) onTaken()
    return isCopied
  }
  function download(name: string): void {
    // Not application/json: some browsers append .json to the name.
    saveBlob(new Blob([text], { type: 'application/octet-stream' }), name)
    onTaken()
  }

  return (
    <div role="group" aria-labelledby={id}>
      <div className="mb-1.5 flex flex-wrap items-center gap-2">
        <p id={id} className={clsx('mr-auto font-medium wrap-anywhere', fileName !== undefined && 'max-xs:basis-full')}>
          {label}
        </p>
        {fileName !== undefined && (
          <button
            type="button"
            className={clsx('btn btn-sm coarse:h-11', isReady ? 'btn-primary' : 'btn-quiet')}
            onClick={() => download(fileName)}
          >
            <Download className="size-4" aria-hidden />
            {tools.download}
            <span className="sr-only"> {label}</span>
          </button>
        )}
        <CopyButton
          className="btn btn-quiet btn-sm coarse:h-11"
          icon={<Copy className="size-4" aria-hidden />}
          copied={tools.copied}
          onCopy={copy}
        >
          {tools.copy}
          <span className="sr-only"> {label}</span>
        </CopyButton>
      </div>
      <pre className="code">{text}</pre>
    </div>
  )
}
