import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

interface Props {
  label: string
  icon: LucideIcon
  value: string
  /** Explains the value, below it. */
  text?: string | undefined
  children?: ReactNode
}

/** One number of the overview. */
export function Figure({ label, icon: Icon, value, text, children }: Props) {
  return (
    <div className="card figure">
      <dt className="flex items-center justify-between gap-2 text-dense font-medium text-text-2">
        {label}
        <Icon className="size-4.5 shrink-0 text-text-3" aria-hidden />
      </dt>
      <dd className="figure-value">{value}</dd>
      {text !== undefined && <dd className="text-meta text-text-2 tabular-nums">{text}</dd>}
      {children !== undefined && <dd className="figure-more">{children}</dd>}
    </div>
  )
}
