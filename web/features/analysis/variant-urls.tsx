import { Copy } from 'lucide-react'
import type { ImageAnalysis } from '../../../contract/endpoints/images.ts'
import { analysis } from '../../texts/analysis-messages.ts'
import { copyText } from '../../ui/copy/copy-text.ts'
import { copy } from '../../texts/gallery-messages.ts'
import { CopyButton } from '../../ui/copy/copy-button.tsx'

const names = ['original', 'resize', 'webp'] as const

export function VariantUrls({ endpoints }: { endpoints: ImageAnalysis['apiEndpoints'] }) {
  return (
    <ul className="grid gap-2">
      {names.map((name) => (
        <li
          key={name}
          className="grid grid-cols-[1fr_auto] items-center gap-x-3 rounded-control border border-border py-1.5 pr-1.5 pl-3.5 md:grid-cols-[5rem_1fr_auto]"
        >
          <span className="col-start-1 row-start-1 text-dense font-medium">{analysis.endpointNames[name]}</span>
          <code className="col-span-2 row-start-2 min-w-0 text-meta wrap-anywhere text-text-2 md:col-span-1 md:col-start-2 md:row-start-1">
            {endpoints[name]}
          </code>
          <CopyButton
            className="btn btn-ghost btn-sm col-start-2 row-start-1 md:col-start-3"
            icon={<Copy className="size-4" aria-hidden />}
            copied={copy.copied}
            onCopy={() => copyText(endpoints[name], copy.url)}
          >
            {copy.action}
            <span className="sr-only">{analysis.endpointNames[name]}</span>
          </CopyButton>
        </li>
      ))}
    </ul>
  )
}
