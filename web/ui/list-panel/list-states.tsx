// What a list shows in place of its rows.
import { clsx } from 'clsx'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { common } from '../../texts/messages.ts'

interface SkeletonsProps {
  count: number
  /** Gives them the height of what replaces them. */
  className: string
}

export function Skeletons({ count, className }: SkeletonsProps) {
  return (
    <>
      <span role="status" className="sr-only">
        {common.loading}
      </span>
      {Array.from({ length: count }, (_, at) => (
        <div key={at} className={`skeleton ${className}`} aria-hidden />
      ))}
    </>
  )
}

interface EmptyProps {
  icon: LucideIcon
  title: string
  text?: string | undefined
  className?: string
  textClassName?: string
  /** Below the text. */
  children?: ReactNode
}

export function EmptyList({
  icon: Icon,
  title,
  text,
  className,
  textClassName = 'max-w-[44ch]',
  children,
}: EmptyProps) {
  return (
    <div className={clsx('card empty-list', className)}>
      <span className="empty-list-icon">
        <Icon aria-hidden />
      </span>
      <p className="text-h3">{title}</p>
      {text !== undefined && <p className={clsx('text-dense text-text-2', textClassName)}>{text}</p>}
      {children}
    </div>
  )
}

interface NoMatchProps {
  icon: LucideIcon
  title: string
  clear: string
  onClear: () => void
}

/** Nothing matches the filters. */
export const NoMatch = ({ icon, title, clear, onClear }: NoMatchProps) => (
  <EmptyList icon={icon} title={title}>
    <button type="button" className="btn btn-quiet mt-4" onClick={onClear}>
      {clear}
    </button>
  </EmptyList>
)
