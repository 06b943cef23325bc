import { Copy, Download } from 'lucide-react'
import { useId, useState, type ReactNode } from 'react'
import { newKey } from '../../texts/api-keys-messages.ts'
import { copyText } from '../../ui/copy-text.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { TabList, tabId } from '../../ui/tab-list.tsx'
import { curlCommand, envLine, shareXFileName, shareXUploader } from './snippet-texts.ts'

interface Props {
  apiKey: string
  siteName: string
  /** The key was copied or downloaded. */
  onTaken: () => void
}

/** The new key as it is used: in a command, a file, a setting. */
export function KeySnippets({ apiKey, siteName, onTaken }: Props) {
  const [selected, setSelected] = useState<(typeof tabs)[number]['id']>('curl')
  const panelId = useId()
  const base = location.origin
  const uploader = shareXUploader(siteName, base, apiKey)

  async function take(text: string, done: string): Promise<boolean> {
    const isCopied = await copyText(text, done)
    if (isCopied) onTaken()
    return isCopied
  }

  const uses = {
    curl: {
      text: newKey.curlText,
      code: curlCommand(base, apiKey),
      button: <TakeButton label={newKey.copyCurl} onTake={() => take(curlCommand(base, apiKey), newKey.curlCopied)} />,
    },
    sharex: {
      text: newKey.shareXText,
      code: uploader,
      button: (
        <button
          type="button"
          className="btn btn-quiet btn-sm coarse:h-11"
          onClick={() => {
            save(uploader, shareXFileName(siteName))
            onTaken()
          }}
        >
          <Download className="size-4" aria-hidden />
          {newKey.download}
        </button>
      ),
    },
    env: {
      text: newKey.envText,
      code: envLine(apiKey),
      button: <TakeButton label={newKey.copyEnv} onTake={() => take(envLine(apiKey), newKey.envCopied)} />,
    },
  } satisfies Record<string, { text: string; code: string; button: ReactNode }>
  const { text, code, button } = uses[selected]

  return (
    <div className="grid gap-3">
      <TabList label={newKey.uses} tabs={tabs} selected={selected} onSelect={setSelected} panelId={panelId} />
      <div id={panelId} role="tabpanel" aria-labelledby={tabId(panelId, selected)}>
        <div className="mb-2.5 flex flex-wrap items-center justify-between gap-2">
          <p className="text-dense text-text-2">{text}</p>
          {button}
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

const TakeButton = ({ label, onTake }: { label: string; onTake: () => Promise<boolean> }) => (
  <CopyButton
    className="btn btn-quiet btn-sm coarse:h-11"
    icon={<Copy className="size-4" aria-hidden />}
    copied={newKey.copied}
    onCopy={onTake}
  >
    {label}
  </CopyButton>
)

function save(text: string, fileName: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  // Once the download has started, it has its own reference to the file.
  setTimeout(() => URL.revokeObjectURL(url), 1000)
}
