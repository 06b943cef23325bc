import { clsx } from 'clsx'
import type { Drag } from './use-drop.ts'

/** Frames the window while files are dragged over it. */
export function DropFrame({ drag }: { drag: Drag }) {
  if (!drag.isOver) return null
  return <div className={clsx('drop-frame', drag.refusal !== undefined && 'drop-frame-refused')} />
}
