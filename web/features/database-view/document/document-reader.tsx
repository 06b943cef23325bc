import { ArrowLeft } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { Document } from '../../../../contract/endpoints/database-view.ts'
import { useDatabaseMode } from '../database-mode.ts'
import { nested, panel } from '../../../texts/database-view/database-panel-messages.ts'
import { GuiFields } from './gui-fields.tsx'
import { JsonTree } from './json-tree.tsx'
import { nestedView, type NestedView } from './nested-view.ts'
import { isContainer, pathText, type Container, type JsonPath } from './json-path.ts'
import { idOf } from './tree-lines.ts'
import { usePanelKeys } from './use-panel-keys.ts'
import { SmallButton } from '../../../ui/small-button.tsx'

interface Props {
  document: Document
  onEdit: () => void
  onClose: () => void
}

/** The document, and the nested value that is open. Each level preserves its state for the way back. */
export function DocumentReader({ document: shown, onEdit, onClose }: Props) {
  const [stack, setStack] = useState<readonly JsonPath[]>([])
  /** The focused element of each level when the next one was opened. */
  const openers = useRef<(Element | null)[]>([])
  const box = useRef<HTMLDivElement>(null)

  function open(path: JsonPath): void {
    openers.current.push(document.activeElement)
    setStack([...stack, path])
  }

  function backTo(depth: number): void {
    const opener = openers.current[depth]
    openers.current.length = depth
    setStack(stack.slice(0, depth))
    requestAnimationFrame(() => opener instanceof HTMLElement && opener.focus())
  }

  const back = () => backTo(stack.length - 1)
  usePanelKeys(box, {
    edit: onEdit,
    back: stack.length > 0 ? back : undefined,
    escape: () => (stack.length > 0 ? backTo(0) : onClose()),
  })

  return (
    <div ref={box}>
      <p className="sr-only" role="status">
        {panel.shown(shown._id)}
      </p>
      <div hidden={stack.length > 0}>
        <DocumentView value={shown} at={[]} onOpen={open} />
      </div>
      {stack.map((path, at) => (
        <div key={`${at}${idOf(path)}`} hidden={at < stack.length - 1}>
          <NestedViewer view={nestedView(shown, path)} onOpen={open} onBack={back} onClose={() => backTo(0)} />
        </div>
      ))}
    </div>
  )
}

interface ViewProps {
  value: Container
  /** The path of the value in the document. */
  at: JsonPath
  onOpen: (path: JsonPath) => void
}

function DocumentView(props: ViewProps) {
  return useDatabaseMode() === 'json' ? <JsonTree {...props} /> : <GuiFields {...props} />
}

interface NestedProps extends Pick<ViewProps, 'onOpen'> {
  view: NestedView
  onBack: () => void
  onClose: () => void
}

/** A nested value of the document in a view of its own. */
function NestedViewer({ view: { data, path }, onOpen, onBack, onClose }: NestedProps) {
  const crumbs = useRef<HTMLParagraphElement>(null)
  useEffect(() => crumbs.current?.focus(), [])
  return (
    <>
      <div className="doc-nested">
        <p ref={crumbs} tabIndex={-1} className="doc-crumbs">
          <span className="sr-only">{nested.path}: </span>
          <bdi>{pathText(path)}</bdi>
        </p>
        <SmallButton icon={ArrowLeft} text={nested.back} onPress={onBack} />
        <SmallButton text={nested.close} isGhost onPress={onClose} />
      </div>
      {isContainer(data) ? (
        <DocumentView value={data} at={path} onOpen={onOpen} />
      ) : (
        <p className="doc-note">{nested.invalid}</p>
      )}
    </>
  )
}
