import { Copy, Download } from 'lucide-react'
import { useId, useState } from 'react'
import { newKey } from '../../texts/api-keys-messages.ts'
import { copyText } from '../../ui/copy-text.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { saveBlob } from '../../ui/save-blob.ts'
import { TabList, tabId } from '../../ui/tab-list.tsx'
import { curlCommand, envLine, listCommand, shareXFileName, shareXUploader } from './snippet-texts.ts'

interface Props {
  apiKey: string
  /** Else the samples read. */
  canUpload: boolean
  siteName: string
  /** The key was copied or downloaded. */
  onTaken: () => void
}

/** The new key as it is used: in a command, a file, a setting. */
export function KeySnippets({ apiKey, canUpload, siteName, onTaken }: Props) {
  const [selected, setSelected] = useState<(typeof tabs)[number]['id']>('curl')
  const panelId = useId()
  const base = location.origin
  const uses = {
    curl: {
      text: canUpload ? newKey.curlText : newKey.curlListText,
      code: (canUpload ? curlCommand : listCommand)(base, apiKey),
      label: newKey.copyCurl,
      done: newKey.curlCopied,
    },
    sharex: { text: newKey.shareXText, code: shareXUploader(siteName, base, apiKey), label: newKey.download, done: '' },
    env: { text: newKey.envText, code: envLine(apiKey), label: newKey.copyEnv, done: newKey.envCopied },
  }
  const { text, code, label, done } = uses[selected]

  async function copyCode(): Promise<boolean> {
    const isCopied = await copyText(code, done)
    if (isCopied) onTaken()
    return isCopied
  }
  function download(): void {
    save(code, shareXFileName(siteName))
    onTaken()
  }

  return (
    <div className="grid gap-3">
      <TabList
        label={newKey.uses}
        tabs={tabs.filter(({ id }) => canUpload || id !== 'sharex')}
        selected={selected}
        onSelect={setSelected}
        panelId={panelId}
      />
      <div id={panelId} role="tabpanel" aria-labelledby={tabId(panelId, selected)}>
        <div className="mb-2.5 flex flex-wrap items-center justify-between gap-2">
          <p className="text-dense text-text-2">{text}</p>
          {selected === 'sharex' ? (
            <button type="button" className="btn btn-quiet btn-sm coarse:h-11" onClick={download}>
              <Download className="size-4" aria-hidden />
              {label}
            </button>
          ) : (
            <CopyButton
              className="btn btn-quiet btn-sm coarse:h-11"
              icon={<Copy className="size-4" aria-hidden />}
              copied={newKey.copied}
              onCopy={copyCode}
            >
              {label}
            </CopyButton>
          )}
        </div>
        <pre className="code">{code}</pre>
      </div>
    </div>
  )
}

const tabs = [
  { id: 'curl', label: newKey.curl },
  { id: 'sharex', label: newKey.shareX },
  { id: 'env', label: newKey.env },
] as const

const save = (text: string, fileName: string) => saveBlob(new Blob([text], { type: 'application/json' }), fileName)
