import { Copy } from 'lucide-react'
import { useId, useState } from 'react'
import { copyText } from '../../ui/copy/copy-text.ts'
import { embed } from '../../texts/embed-messages.ts'
import { copy } from '../../texts/gallery-messages.ts'
import { CopyButton } from '../../ui/copy/copy-button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { ImageWithFallback } from '../../ui/sourced-image.tsx'
import { TabList, tabId } from '../../ui/tab-list.tsx'
import {
  storedFormat,
  storedLinkTarget,
  storedWidth,
  storeFormat,
  storeLinkTarget,
  storeWidth,
} from './embed-preferences.ts'
import { codeFormats, codeLines, codeText, type CodeLine } from './code-formats.ts'
import { EmbedOptions, type Options } from './embed-options.tsx'
import { initialAlt, embedSourceOf, type EmbeddedImage, type EmbedSource } from './embedded-image.ts'
import { HighlightedLines } from '../../ui/highlighted-lines.tsx'
import '../../styles/sheet.css'

interface Props {
  image: EmbeddedImage
  onClose: () => void
}

export function EmbedDialog({ image, onClose }: Props) {
  const panelId = useId()
  const [format, setFormat] = useState(storedFormat)
  const [options, setOptions] = useState<Options>(() => ({
    width: storedWidth(image),
    alt: initialAlt(image),
    isResponsive: true,
    linkTarget: storedLinkTarget(),
  }))
  const picture = embedSourceOf(image, { ...options, fmt: format.fmt }, location.origin)
  const lines = codeLines(format, image, picture, options.alt)

  const select = (id: string) => {
    const selected = codeFormats.find((offered) => offered.id === id) ?? format
    setFormat(selected)
    storeFormat(selected)
  }
  const change = (changed: Partial<Options>) => {
    setOptions({ ...options, ...changed })
    if (changed.width !== undefined) storeWidth(changed.width)
    if (changed.linkTarget !== undefined) storeLinkTarget(changed.linkTarget)
  }

  return (
    <Dialog title={embed.title} onClose={onClose} size="wide">
      <p className="-mt-4 truncate text-dense text-text-2" title={image.name}>
        {image.name}
      </p>
      <TabList label={embed.formats} tabs={codeFormats} selected={format.id} onSelect={select} panelId={panelId} />
      <EmbedOptions image={image} {...options} canLink={format.fmt === undefined} onChange={change} />
      <div className="relative grid min-w-0 gap-5">
        <div className="overflow-clip rounded-control border border-border bg-surface-2">
          <p className="flex h-11 items-center border-b border-border px-3.5 font-mono text-meta text-text-2 md:pr-28">
            <span className="truncate">{format.place}</span>
          </p>
          <div
            id={panelId}
            role="tabpanel"
            aria-labelledby={tabId(panelId, format.id)}
            tabIndex={0}
            className="scroll-area max-h-96 overflow-auto p-3.5 -outline-offset-2 3xl:max-h-[36rem]"
          >
            <pre className="font-mono text-meta/5 break-all whitespace-pre-wrap md:wrap-anywhere md:break-normal">
              <CodeLines lines={lines} />
            </pre>
          </div>
        </div>
        {image.hasPreview !== false && <Preview picture={picture} alt={options.alt} />}
        <div className="sheet-bar md:absolute md:top-1.5 md:right-1.5 md:m-0 md:border-0 md:bg-transparent md:p-0">
          <CopyButton
            key={format.id}
            className="btn btn-primary w-full md:h-8 md:w-auto md:rounded-tile md:px-3 md:text-meta"
            icon={<Copy className="size-4" aria-hidden />}
            copied={copy.copied}
            onCopy={() => copyText(codeText(lines), copy.code(format.label))}
          >
            {copy.action}
            <span className="sr-only">{embed.code(format.label)}</span>
          </CopyButton>
        </div>
      </div>
    </Dialog>
  )
}

function Preview({ picture: { url, width, height }, alt }: { picture: EmbedSource; alt: string }) {
  return (
    <figure className="grid min-w-0 gap-2">
      <figcaption className="flex justify-between gap-4 text-meta text-text-2">
        <span className="font-medium text-text">{embed.preview}</span>
        {width !== undefined && height !== undefined && (
          <span className="tabular-nums">{embed.size(width, height)}</span>
        )}
      </figcaption>
      <div className="grid min-h-24 place-items-center overflow-clip rounded-control border border-border bg-surface-2 p-3">
        <ImageWithFallback
          key={url}
          sources={[url]}
          alt={embed.previewOf(alt.trim())}
          width={width}
          height={height}
          className="h-auto max-h-80 w-auto max-w-full rounded-badge object-contain"
        />
      </div>
    </figure>
  )
}

/** Classes for the token kinds of scripts/embed-templates.ts. */
const classes = [
  undefined,
  'code-comment',
  'code-keyword',
  'code-string',
  'code-function',
  'code-constant',
  'code-punctuation',
  'code-tag',
  'code-attribute',
]

function CodeLines({ lines }: { lines: readonly CodeLine[] }) {
  return (
    <code translate="no">
      <HighlightedLines lines={lines} classOf={(kind) => classes[kind]} />
    </code>
  )
}
