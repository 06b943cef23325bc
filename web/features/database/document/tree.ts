// A JSON value as the lines of a tree, as far as it is open. Pure. Whatever the value is, few lines are made: long lists come
// in slices, and slices of slices, each of which can be opened.
import { type Container, isContainer, type Path, sizeOf } from './path.ts'
import { panelLimits } from './panel-limits.ts'

const openLevels = 2

interface Place {
  /** Unique among the lines of one tree. */
  id: string
  /** From 0. */
  level: number
  /** Nothing follows it in what it is a part of. */
  isLast: boolean
}

/** A value, or a slice of the one that it stands in. */
export interface Node extends Place {
  kind: 'value' | 'slice'
  path: Path
  /** Its name or place; undefined for the root. */
  name: string | number | undefined
  value: unknown
  /** Of a slice: the first and the one after the last. */
  from: number
  to: number
  /** undefined: there is nothing to open. */
  isOpen: boolean | undefined
  /** The id of the node that it can be closed into. */
  parent: string | undefined
  /** From 1, among its siblings. */
  position: number
  siblings: number
}

/** The bracket that ends what an open node holds. */
export interface End extends Place {
  kind: 'end'
  isArray: boolean
}

export type Line = Node | End

export const idOf = (path: Path) => JSON.stringify(path)
const sliceId = (path: Path, from: number, to: number) => `${idOf(path)}${from}-${to}`

/** The slices of the places `from` to `to`; none where they need no slicing. */
export function slicesOf(from: number, to: number): [from: number, to: number][] {
  let size = 1
  while ((to - from) / size > panelLimits.slice) size *= panelLimits.slice
  if (size === 1) return []
  const count = Math.ceil((to - from) / size)
  return Array.from({ length: count }, (_, at) => [from + at * size, Math.min(from + (at + 1) * size, to)])
}

/** What is open before anybody opened anything: the levels below 2, as long as that is not too much. */
export function openAtFirst(root: unknown): ReadonlySet<string> {
  const open = new Set<string>()
  let lines = 0
  const visit = (value: unknown, path: Path) => {
    if (!isContainer(value) || path.length >= openLevels || lines >= panelLimits.openLines) return
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

/** Of a value, and of the slices that its first items stand in. */
function idsToOpen(value: Container, path: Path): string[] {
  const ids = [idOf(path)]
  for (let [first] = slicesOf(0, sizeOf(value)); first !== undefined; [first] = slicesOf(...first))
    ids.push(sliceId(path, ...first))
  return ids
}

export function toggled(open: ReadonlySet<string>, node: Node): ReadonlySet<string> {
  const next = new Set(open)
  if (node.isOpen === true) next.delete(node.id)
  else if (node.kind === 'value' && isContainer(node.value))
    for (const id of idsToOpen(node.value, node.path)) next.add(id)
  else next.add(node.id)
  return next
}

export function linesOf(root: unknown, open: ReadonlySet<string>): Line[] {
  const lines: Line[] = []

  function add(node: Node): void {
    lines.push(node)
    if (node.isOpen !== true || !isContainer(node.value)) return
    const { id, value, level, isLast } = node
    addWithin(node, value)
    if (node.kind === 'value') lines.push({ kind: 'end', id: `${id}end`, level, isLast, isArray: Array.isArray(value) })
  }

  function addWithin(parent: Node, value: Container): void {
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

  const valueNode = (value: unknown, path: Path) => {
    const size = isContainer(value) ? sizeOf(value) : 0
    const id = idOf(path)
    const isOpen = size === 0 ? undefined : open.has(id)
    return { kind: 'value' as const, id, path, name: path.at(-1), value, from: 0, to: size, isOpen }
  }

  add({ ...valueNode(root, []), level: 0, isLast: true, parent: undefined, position: 1, siblings: 1 })
  return lines
}
