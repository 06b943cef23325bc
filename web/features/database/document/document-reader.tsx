import { Fragment, useRef, useState } from 'react'
import type { Document } from '../../../../contract/db-browser.ts'
import { panel } from '../../../texts/database-panel-messages.ts'
import { DocumentView } from './document-view.tsx'
import { NestedViewer } from './nested-viewer.tsx'
import { nestedView } from './nested-view.ts'
import type { JsonPath } from './json-path.ts'
import { idOf } from './tree-lines.ts'
import { usePanelKeys } from './use-panel-keys.ts'

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
        <Fragment key={`${at}${idOf(path)}`}>
          <div hidden={at < stack.length - 1}>
            <NestedViewer view={nestedView(shown, path)} onOpen={open} onBack={back} onClose={() => backTo(0)} />
          </div>
        </Fragment>
      ))}
    </div>
  )
}
