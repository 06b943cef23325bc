// Stands in for lucide-react's createLucideIcon (vite.config.ts), which is 1 kB of the first script and merges six
// objects per icon and render. The page gives an icon classes, a stroke width and ARIA, nothing else.
import { createElement, type SVGProps } from 'react'

interface IconData {
  node: readonly (readonly [tag: string, attributes: Record<string, string>])[]
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
  const lines = node.map(([tag, attributes]) => createElement(tag, attributes))
  return (props: SVGProps<SVGSVGElement>) => createElement('svg', { ...shared, ...props }, lines)
}
