import { Copy } from 'lucide-react'
import type { ReactNode } from 'react'
import { docs, examples } from '../../../texts/docs-messages.ts'
import { CopyButton } from '../../../ui/copy/copy-button.tsx'
import { HighlightedCode } from './highlighted-code.tsx'
import { copyDocs } from '../copy-docs.ts'
import type { CodeLanguage } from './highlight.ts'

interface Props {
  /** The name of the block, at the left of its header, before `children`. */
  title: ReactNode
  code: string
  language: CodeLanguage
  /** What the code is, for the name of the copy button. */
  of: string
  what: 'curl' | 'code' | 'text'
  children?: ReactNode
}

/** Code with a header and a copy button. */
export function CodeBlock({ title, code, language, of, what, children }: Props) {
  return (
    <div className="docs-block">
      <div className="docs-block-head">
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-2">
          {title}
          {children}
        </div>
        <CopyButton
          key={code}
          className="btn btn-ghost btn-sm coarse:h-11"
          icon={<Copy className="size-4" aria-hidden />}
          copied={docs.copiedMark}
          onCopy={() => copyDocs(code, what)}
        >
          {docs.copy}
          <span className="sr-only">{examples.code(of)}</span>
        </CopyButton>
      </div>
      <div className="p-4">
        <HighlightedCode code={code} language={language} />
      </div>
    </div>
  )
}
