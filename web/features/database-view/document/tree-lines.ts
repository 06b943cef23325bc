// A JSON value as the visible lines of a tree. Pure. Large arrays and objects come in slices, and slices of slices, so that
// the number of lines stays small for any value.
import { type Container, isContainer, type JsonPath, sizeOf } from './json-path.ts'
import { panelLimits } from './panel-limits.ts'

const openLevels = 2

interface Place {
  /** Unique within one tree. */
  id: string
  /** Starts at 0. */
  level: number
  /** The last child of its parent. */
  isLast: boolean
}

/** The value, or for a slice the value it is part of. */
export interface TreeNode extends Place {
  kind: 'value' | 'slice'
  path: JsonPath
  /** The name or index; undefined for the root. */
  name: string | number | undefined
  value: unknown
  /** For a slice: the first index and the one after the last. */
  from: number
  to: number
  /** Undefined: the node has no children. */
  isOpen: boolean | undefined
  /** The id of the parent that can be closed. */
  parent: string | undefined
  /** Position among its siblings, starting at 1. */
  position: number
  siblings: number
}

/** The closing bracket of an open node. */
export interface TreeEnd extends Place {
  kind: 'end'
  isArray: boolean
}

export type TreeLine = TreeNode | TreeEnd

export const idOf = (path: JsonPath) => JSON.stringify(path)
const sliceId = (path: JsonPath, from: number, to: number) => `${idOf(path)}${from}-${to}`

/** The slices of the range `from` to `to`; none when the range is small enough. */
export function slicesOf(from: number, to: number): [from: number, to: number][] {
  let size = 1
  while ((to - from) / size > panelLimits.slice) size *= panelLimits.slice
  if (size === 1) return []
  const count = Math.ceil((to - from) / size)
  return Array.from({ length: count }, (_, at) => [from + at * size, Math.min(from + (at + 1) * size, to)])
}

/** The nodes that are open initially: all above level 2, within the limit of open lines. */
export function initiallyOpen(root: unknown): ReadonlySet<string> {
  const open = new Set<string>()
  let lines = 0
  const visit = (value: unknown, path: JsonPath) => {
    if (!isContainer(value) || path.length >= openLevels || lines >= panelLimits.initiallyOpenLines) return
    for (const id of idsToOpen(value, path)) open.add(id)
    const names = Array.isArray(value)
      ? value.slice(0, panelLimits.slice).keys()
      : Object.keys(value).slice(0, panelLimits.slice)
    for (const name of [...names]) {
      lines++
      visit((value as Record<string | number, unknown>)[name], [...path, name])
    }
  }
  visit(root, [])
  return open
}

/** The ids of the open value and of the slices that contain its first items. */
function idsToOpen(value: Container, path: JsonPath): string[] {
  const ids = [idOf(path)]
  for (let [first] = slicesOf(0, sizeOf(value)); first !== undefined; [first] = slicesOf(...first))
    ids.push(sliceId(path, ...first))
  return ids
}

export function toggleNode(open: ReadonlySet<string>, node: TreeNode): ReadonlySet<string> {
  const next = new Set(open)
  if (node.isOpen === true) next.delete(node.id)
  else if (node.kind === 'value' && isContainer(node.value))
    for (const id of idsToOpen(node.value, node.path)) next.add(id)
  else next.add(node.id)
  return next
}

export function treeLines(root: unknown, open: ReadonlySet<string>): TreeLine[] {
  const lines: TreeLine[] = []

  function add(node: TreeNode): void {
    lines.push(node)
    if (node.isOpen !== true || !isContainer(node.value)) return
    const { id, value, level, isLast } = node
    addWithin(node, value)
    if (node.kind === 'value') lines.push({ kind: 'end', id: `${id}end`, level, isLast, isArray: Array.isArray(value) })
  }

  function addWithin(parent: TreeNode, value: Container): void {
    const { path, to: end } = parent
    const isArray = Array.isArray(value)
    const slices = slicesOf(parent.from, end)
    const common = { level: parent.level + 1, parent: parent.id }
    for (const [at, [from, to]] of slices.entries()) {
      const id = sliceId(path, from, to)
      const place = { position: at + 1, siblings: slices.length, isLast: true, isOpen: open.has(id) }
      add({ ...common, ...place, kind: 'slice', id, path, name: undefined, value, from, to })
    }
    if (slices.length > 0) return
    const names = isArray ? undefined : Object.keys(value)
    const size = names?.length ?? sizeOf(value)
    for (let at = parent.from; at < end; at++) {
      const name = names?.[at] ?? at
      const isLast = at === size - 1
      const place = { position: at - parent.from + 1, siblings: end - parent.from, isLast }
      add({ ...common, ...place, ...valueNode((value as Record<string | number, unknown>)[name], [...path, name]) })
    }
  }

  const valueNode = (value: unknown, path: JsonPath) => {
    const size = isContainer(value) ? sizeOf(value) : 0
    const id = idOf(path)
    const isOpen = size === 0 ? undefined : open.has(id)
    return { kind: 'value' as const, id, path, name: path.at(-1), value, from: 0, to: size, isOpen }
  }

  add({ ...valueNode(root, []), level: 0, isLast: true, parent: undefined, position: 1, siblings: 1 })
  return lines
}
