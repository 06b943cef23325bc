import { Braces, Copy, Maximize2, Route, UnfoldVertical, type LucideIcon } from 'lucide-react'
import { tree } from '../../../texts/database-view/database-panel-messages.ts'
import { CopyButton } from '../../../ui/copy/copy-button.tsx'
import { Tooltip } from '../../../ui/tooltip.tsx'
import { codePath, isContainer, type JsonPath } from './json-path.ts'
import type { TreeNode } from './tree-lines.ts'
import { adminNotify } from '../../../ui/toast/admin-toast.tsx'
import { writeClipboard } from '../../../ui/copy/clipboard.ts'

interface Props {
  /** The root value of the tree, and its path in the document. */
  value: unknown
  at: JsonPath
  node: TreeNode
  hasMore: boolean
  onOpen: () => void
  onMore: () => void
}

/** Actions for the current line of the tree. */
export function TreeBar({ value, at, node, hasMore, onOpen, onMore }: Props) {
  const isPart = node.path.length > 0
  const path = codePath([...at, ...node.path])
  return (
    <div className="doc-bar" role="group" aria-label={tree.actions}>
      <CopyButton
        className="btn btn-ghost btn-sm coarse:h-11"
        icon={<Braces className="size-4" aria-hidden />}
        copied={tree.copied}
        onCopy={() => copyValue(value)}
      >
        {tree.copyAll}
      </CopyButton>
      {isPart && (
        <>
          <bdi className="doc-path">{path}</bdi>
          <div className="doc-actions">
            {hasMore && (
              <Tooltip text={tree.showMore}>
                <button type="button" className="btn-icon btn-icon-sm" aria-label={tree.showMore} onClick={onMore}>
                  <UnfoldVertical className="size-4" aria-hidden />
                </button>
              </Tooltip>
            )}
            {/* A slice is not a value: it cannot be copied. */}
            {node.kind === 'value' && <CopyAction icon={Copy} label={tree.copyValue} value={node.value} />}
            <CopyAction icon={Route} label={tree.copyPath} value={path} />
            {node.kind === 'value' && isContainer(node.value) && (
              <Tooltip text={tree.open} shortcut="Enter">
                <button type="button" className="btn-icon btn-icon-sm" aria-label={tree.open} onClick={onOpen}>
                  <Maximize2 className="size-4" aria-hidden />
                </button>
              </Tooltip>
            )}
          </div>
        </>
      )}
    </div>
  )
}

const CopyAction = ({ icon: Icon, label, value }: { icon: LucideIcon; label: string; value: unknown }) => (
  <Tooltip text={label}>
    <span className="inline-flex">
      <CopyButton
        className="btn-icon btn-icon-sm"
        icon={<Icon className="size-4" aria-hidden />}
        copied={tree.copied}
        onCopy={() => copyValue(value)}
      >
        <span className="sr-only">{label}</span>
      </CopyButton>
    </span>
  </Tooltip>
)

/** Copies a text as it is and other values as formatted JSON. @returns whether the copy succeeded; the button shows the result */
async function copyValue(value: unknown): Promise<boolean> {
  const isCopied = await writeClipboard(typeof value === 'string' ? value : JSON.stringify(value, null, 2))
  if (!isCopied) adminNotify.failed(tree.copyFailed, tree.copyFailedText)
  return isCopied
}
