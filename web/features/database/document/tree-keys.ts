// What a key does in the tree, as in every tree: up and down go, right opens, left closes.
import { isContainer } from './path.ts'
import type { Node } from './tree.ts'

export type Step = { go: number } | 'toggle' | 'enter' | 'nothing'

/** undefined: the key is not the tree's. */
export function stepOf(key: string, nodes: readonly Node[], at: number): Step | undefined {
  const node = nodes[at]
  if (node === undefined) return undefined
  const to = (place: number): Step => (place === at || nodes[place] === undefined ? 'nothing' : { go: place })
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
      // A slice is nothing by itself, and the root is what is looked at.
      if (node.kind === 'slice' || (node.path.length === 0 && isContainer(node.value))) return 'toggle'
      return 'enter'
    default:
      return undefined
  }
}
