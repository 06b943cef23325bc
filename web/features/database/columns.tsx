import { useRef, type ReactNode } from 'react'
import { database } from '../../texts/database-messages.ts'
import { Splitter } from './splitter.tsx'

interface Props {
  sidebar: ReactNode
  /** Nothing: no third column. */
  panel: ReactNode
  children: ReactNode
}

/** Side by side, each as wide as one likes; one below the other where there is no room. */
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
