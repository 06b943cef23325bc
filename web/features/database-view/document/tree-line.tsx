import { ChevronRight } from 'lucide-react'
import type { CSSProperties, MouseEvent } from 'react'
import { tree } from '../../../texts/database-view/database-panel-messages.ts'
import { cutText } from './cut-text.ts'
import { isContainer, sizeOf } from './json-path.ts'
import type { TreeEnd, TreeNode } from './tree-lines.ts'

interface Props {
  node: TreeNode
  maxChars: number
  /** The tab stop of the tree. */
  isCurrent: boolean
  onFocus: () => void
  onToggle: () => void
  onMore: () => void
}

/** One line of the tree. Every mouse action also has a key or a button in the bar below the tree. */
export function NodeLine({ node, maxChars, isCurrent, onFocus, onToggle, onMore }: Props) {
  function click(event: MouseEvent<HTMLElement>): void {
    event.currentTarget.focus()
    // A click that ends a text selection does nothing else.
    if (node.isOpen !== undefined && getSelection()?.isCollapsed !== false) onToggle()
  }

  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the tree handles the keys
    <div
      role="treeitem"
      className="doc-line"
      style={indent(node.level)}
      tabIndex={isCurrent ? 0 : -1}
      aria-level={node.level + 1}
      aria-posinset={node.position}
      aria-setsize={node.siblings}
      aria-selected={isCurrent}
      aria-expanded={node.isOpen}
      onFocus={onFocus}
      onClick={click}
    >
      {node.isOpen !== undefined && <ChevronRight className="doc-chevron" aria-hidden />}
      {node.kind === 'slice' ? (
        <span className="code-punctuation">[{tree.slice(node.from, node.to - 1)}]</span>
      ) : (
        <>
          {typeof node.name === 'string' && (
            <>
              <bdi className="code-function">{JSON.stringify(node.name)}</bdi>
              {': '}
            </>
          )}
          <Value node={node} maxChars={maxChars} onMore={onMore} />
          {!node.isLast && node.isOpen !== true && ','}
        </>
      )}
    </div>
  )
}

export const EndLine = ({ line }: { line: TreeEnd }) => (
  <div className="doc-line" style={indent(line.level)} aria-hidden>
    <span className="code-punctuation">{line.isArray ? ']' : '}'}</span>
    {!line.isLast && ','}
  </div>
)

function Value({ node: { value, isOpen }, maxChars, onMore }: Pick<Props, 'node' | 'maxChars' | 'onMore'>) {
  if (isContainer(value)) return <span className="code-punctuation">{bracketText(value, isOpen)}</span>
  if (typeof value !== 'string') return <span className="code-constant">{JSON.stringify(value)}</span>
  const { shown, hidden } = cutText(value, maxChars)
  const quoted = JSON.stringify(shown)
  if (hidden === 0) return <bdi className="code-string">{quoted}</bdi>
  return (
    <>
      <bdi className="code-string">{quoted.slice(0, -1)}…</bdi>{' '}
      <button
        type="button"
        className="doc-more"
        tabIndex={-1}
        onClick={(event) => {
          event.stopPropagation()
          onMore()
        }}
      >
        {tree.showMore} ({tree.hidden(hidden)})
      </button>
    </>
  )
}

function bracketText(value: object, isOpen: boolean | undefined): string {
  if (isOpen === true) return Array.isArray(value) ? '[' : '{'
  if (isOpen === undefined) return Array.isArray(value) ? '[]' : '{}'
  return summary(value)
}

/** `{ 3 keys }`, `[ 2 ]` */
export const summary = (value: object) =>
  Array.isArray(value) ? tree.items(value.length) : tree.keys(sizeOf(value as Record<string, unknown>))

const indent = (level: number) => ({ '--level': level }) as CSSProperties
