import { Copy, Download } from 'lucide-react'
import { Tabs } from 'radix-ui'
import type { ReactNode } from 'react'
import { newKey } from '../../texts/api-keys-messages.ts'
import { copyText } from '../../ui/copy-text.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { curlCommand, envLine, shareXFileName, shareXUploader } from './snippets.ts'

interface Props {
  apiKey: string
  siteName: string
  /** The key was copied or downloaded. */
  onTaken: () => void
}

/** The new key as it is used: in a command, a file, a setting. */
export function KeyUses({ apiKey, siteName, onTaken }: Props) {
  const base = location.origin
  const uploader = shareXUploader(siteName, base, apiKey)

  async function take(text: string, done: string): Promise<boolean> {
    const isCopied = await copyText(text, done)
    if (isCopied) onTaken()
    return isCopied
  }

  return (
    <Tabs.Root defaultValue="curl">
      <Tabs.List aria-label={newKey.uses} className="mb-3 flex gap-1 border-b border-border">
        <Tab id="curl" label={newKey.curl} />
        <Tab id="sharex" label={newKey.shareX} />
        <Tab id="env" label={newKey.env} />
      </Tabs.List>
      <Panel id="curl" text={newKey.curlText} code={curlCommand(base, apiKey)}>
        <TakeButton label={newKey.copyCurl} onTake={() => take(curlCommand(base, apiKey), newKey.curlCopied)} />
      </Panel>
      <Panel id="sharex" text={newKey.shareXText} code={uploader}>
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
      </Panel>
      <Panel id="env" text={newKey.envText} code={envLine(apiKey)}>
        <TakeButton label={newKey.copyEnv} onTake={() => take(envLine(apiKey), newKey.envCopied)} />
      </Panel>
    </Tabs.Root>
  )
}

const Tab = ({ id, label }: { id: string; label: string }) => (
  <Tabs.Trigger value={id} className="key-tab">
    {label}
  </Tabs.Trigger>
)

interface PanelProps {
  id: string
  text: string
  code: string
  children: ReactNode
}

/** No tab stop of its own: its button is one. */
const Panel = ({ id, text, code, children }: PanelProps) => (
  <Tabs.Content value={id} tabIndex={-1}>
    <div className="mb-2.5 flex flex-wrap items-center justify-between gap-2">
      <p className="text-dense text-text-2">{text}</p>
      {children}
    </div>
    <pre className="code">{code}</pre>
  </Tabs.Content>
)

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
