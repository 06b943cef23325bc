import { useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { tree } from '../../../texts/database-view/database-panel-messages.ts'
import { isContainer, type JsonPath } from './json-path.ts'
import { type TreeNode, idOf, treeLines, initiallyOpen, toggleNode } from './tree-lines.ts'
import { TreeBar } from './tree-bar.tsx'
import { treeStepForKey } from './tree-keys.ts'
import { EndLine, NodeLine } from './tree-line.tsx'
import { panelLimits } from './panel-limits.ts'

interface Props {
  value: unknown
  /** The path of the value in the document. */
  at: JsonPath
  /** Opens an object or array in a view of its own. */
  onOpen: (path: JsonPath) => void
}

/** A JSON value as a collapsible tree (WAI-ARIA tree pattern): one tab stop, arrow keys move. */
export function JsonTree({ value, at, onOpen }: Props) {
  const [open, setOpen] = useState(() => initiallyOpen(value))
  const [currentId, setCurrent] = useState(idOf([]))
  const [chars, setChars] = useState<ReadonlyMap<string, number>>(new Map())
  const box = useRef<HTMLDivElement>(null)
  const lines = useMemo(() => treeLines(value, open), [value, open])
  const nodes = useMemo(() => lines.filter((line) => line.kind !== 'end'), [lines])
  // The focused line was hidden by closing its parent, which takes the focus.
  const place = Math.max(
    nodes.findIndex(({ id }) => id === currentId),
    0,
  )
  const current = nodes[place] as TreeNode
  const charsOf = ({ id }: TreeNode) => chars.get(id) ?? panelLimits.textPreviewChars

  const toggle = (node: TreeNode) => setOpen((before) => toggleNode(before, node))
  const showMore = (node: TreeNode) => setChars((before) => new Map(before).set(node.id, charsOf(node) * 10))
  const openNode = ({ path }: TreeNode) => onOpen([...at, ...path])

  function handleKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    const step = treeStepForKey(event.key, nodes, place)
    if (step === undefined) return
    event.preventDefault()
    if (step === 'toggle') toggle(current)
    else if (step === 'enter') enter(current)
    else if (step !== 'nothing') box.current?.querySelectorAll<HTMLElement>('[role=treeitem]')[step.go]?.focus()
  }

  function enter(node: TreeNode): void {
    if (isContainer(node.value)) openNode(node)
    else if (typeof node.value === 'string' && node.value.length > charsOf(node)) showMore(node)
  }

  return (
    <>
      <div className="doc-body doc-code">
        {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- the current one of its lines takes the focus */}
        <div ref={box} role="tree" aria-label={tree.label} onKeyDown={handleKey}>
          {lines.map((line) =>
            line.kind === 'end' ? (
              <EndLine key={line.id} line={line} />
            ) : (
              <NodeLine
                key={line.id}
                node={line}
                maxChars={charsOf(line)}
                isCurrent={line === current}
                onFocus={() => setCurrent(line.id)}
                onToggle={() => toggle(line)}
                onMore={() => showMore(line)}
              />
            ),
          )}
        </div>
      </div>
      <TreeBar
        value={value}
        at={at}
        node={current}
        hasMore={typeof current.value === 'string' && current.value.length > charsOf(current)}
        onOpen={() => openNode(current)}
        onMore={() => showMore(current)}
      />
    </>
  )
}
