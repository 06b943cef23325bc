import { expect, it } from 'vitest'
import { treeLines, type TreeNode, initiallyOpen } from './tree-lines.ts'
import { treeStepForKey } from './tree-keys.ts'

const value = { a: { b: { c: 1 } }, d: 'x' }
/** The root, a, b (closed), d. */
const nodes = treeLines(value, initiallyOpen(value)).filter((line): line is TreeNode => line.kind !== 'end')

it.each<[string, number, unknown]>([
  ['ArrowDown', 0, { go: 1 }],
  ['ArrowDown', 3, 'nothing'],
  ['ArrowUp', 0, 'nothing'],
  ['ArrowUp', 3, { go: 2 }],
  ['Home', 2, { go: 0 }],
  ['End', 0, { go: 3 }],
  ['ArrowRight', 2, 'toggle'],
  ['ArrowRight', 1, { go: 2 }],
  ['ArrowRight', 3, 'nothing'],
  ['ArrowLeft', 1, 'toggle'],
  ['ArrowLeft', 2, { go: 1 }],
  ['ArrowLeft', 3, { go: 0 }],
  [' ', 1, 'toggle'],
  [' ', 3, 'nothing'],
  ['Enter', 0, 'toggle'],
  ['Enter', 1, 'enter'],
  ['Enter', 3, 'enter'],
  ['j', 0, undefined],
  ['Tab', 0, undefined],
])('%s on node %i', (key, at, step) => expect(treeStepForKey(key, nodes, at)).toEqual(step))
