import { ArrowLeft } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { nested } from '../../../texts/database-panel-messages.ts'
import { DocumentView } from './document-view.tsx'
import type { NestedView } from './nested-view.ts'
import { isContainer, pathText, type JsonPath } from './json-path.ts'

interface Props {
  view: NestedView
  onOpen: (path: JsonPath) => void
  onBack: () => void
  onClose: () => void
}

/** A nested value of the document in a view of its own. */
export function NestedViewer({ view: { data, path }, onOpen, onBack, onClose }: Props) {
  const crumbs = useRef<HTMLParagraphElement>(null)
  useEffect(() => crumbs.current?.focus(), [])
  return (
    <>
      <div className="doc-nested">
        <p ref={crumbs} tabIndex={-1} className="doc-crumbs">
          <span className="sr-only">{nested.path}: </span>
          <bdi>{pathText(path)}</bdi>
        </p>
        <button type="button" className="btn btn-quiet btn-sm coarse:h-11" onClick={onBack}>
          <ArrowLeft className="size-4" aria-hidden />
          {nested.back}
        </button>
        <button type="button" className="btn btn-ghost btn-sm coarse:h-11" onClick={onClose}>
          {nested.close}
        </button>
      </div>
      {isContainer(data) ? (
        <DocumentView value={data} at={path} onOpen={onOpen} />
      ) : (
        <p className="doc-note">{nested.invalid}</p>
      )}
    </>
  )
}
