// The keys of the tree (WAI-ARIA tree pattern): up and down move, right opens, left closes.
import { isContainer } from './json-path.ts'
import type { TreeNode } from './tree-lines.ts'

export type TreeStep = { go: number } | 'toggle' | 'enter' | 'nothing'

/** Undefined: the tree does not handle the key. */
export function treeStepForKey(key: string, nodes: readonly TreeNode[], at: number): TreeStep | undefined {
  const node = nodes[at]
  if (node === undefined) return undefined
  const to = (place: number): TreeStep => (place === at || nodes[place] === undefined ? 'nothing' : { go: place })
  switch (key) {
    case 'ArrowDown':
      return to(at + 1)
    case 'ArrowUp':
      return to(at - 1)
    case 'Home':
      return to(0)
    case 'End':
      return to(nodes.length - 1)
    case 'ArrowRight':
      if (node.isOpen === undefined) return 'nothing'
      return node.isOpen ? to(at + 1) : 'toggle'
    case 'ArrowLeft':
      if (node.isOpen === true) return 'toggle'
      return to(nodes.findIndex(({ id }) => id === node.parent))
    case ' ':
      return node.isOpen === undefined ? 'nothing' : 'toggle'
    case 'Enter':
      return canEnter(node) ? 'enter' : 'toggle'
    default:
      return undefined
  }
}

/** A slice has no value of its own, and the root is already shown. */
const canEnter = (node: TreeNode) => node.kind !== 'slice' && (node.path.length > 0 || !isContainer(node.value))
