import { cloneElement, type ReactElement } from 'react'
import './tooltip.css'

interface Props {
  text: string
  /** The keyboard shortcut of the action, shown beside the text. */
  shortcut?: string | undefined
  /** A button or link with a label of its own: the tooltip is visual only. */
  children: ReactElement<{ 'data-tooltip'?: string; 'data-tooltip-key'?: string | undefined }>
}

/** Shows the name of an icon button: on hover after a delay, on focus at once (follow-tooltips.ts). */
export const Tooltip = ({ text, shortcut, children }: Props) =>
  cloneElement(children, { 'data-tooltip': text, 'data-tooltip-key': shortcut })
