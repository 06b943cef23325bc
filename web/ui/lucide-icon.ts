// Stands in for lucide-react's createLucideIcon (vite.config.ts), which is 1 kB of the first script and merges six
// objects per icon and render. The page gives an icon classes, a stroke width and ARIA, nothing else. All its paths are one
// element: a list has hundreds of icons, and each element is styled anew whenever a dialog opens or closes.
import { createElement, type SVGProps } from 'react'

type Line = readonly [tag: string, attributes: Record<string, string>]

interface IconData {
  node: readonly Line[]
}

const shared = {
  xmlns: 'http://www.w3.org/2000/svg',
  width: 24,
  height: 24,
  viewBox: '0 0 24 24',
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: 2,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
  'aria-hidden': true,
} as const

// oxlint-disable-next-line import/no-default-export -- as the module that it stands in for
export default function createIcon({ node }: IconData) {
  // The same elements at each render, which React compares no further.
  const lines = joinPaths(node).map(([tag, attributes]) => createElement(tag, attributes))
  return (props: SVGProps<SVGSVGElement>) => createElement('svg', { ...shared, ...props }, lines)
}

function joinPaths(node: readonly Line[]): readonly Line[] {
  const paths = node.flatMap(([tag, { d }]) => (tag === 'path' ? d : []))
  if (paths.length === 0) return node
  // Each starts where the drawing does: it may begin with a relative move.
  return [['path', { d: paths.join('M0 0'), key: 'paths' }], ...node.filter(([tag]) => tag !== 'path')]
}
