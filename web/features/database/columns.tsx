import { useRef, type ReactNode } from 'react'
import { database } from '../../texts/database-messages.ts'
import { Splitter } from './splitter.tsx'

interface Props {
  sidebar: ReactNode
  /** Undefined: no third column. */
  panel: ReactNode
  children: ReactNode
}

/** The columns of the view: side by side with adjustable widths, stacked on narrow screens. */
export function Columns({ sidebar, panel, children }: Props) {
  const ref = useRef<HTMLDivElement>(null)
  return (
    <div ref={ref} className="db-columns">
      {sidebar}
      <Splitter column="sidebar" label={database.sidebarWidth} around={ref} />
      <div className="db-main">{children}</div>
      {Boolean(panel) && (
        <>
          <Splitter column="panel" label={database.panelWidth} around={ref} />
          {panel}
        </>
      )}
    </div>
  )
}
