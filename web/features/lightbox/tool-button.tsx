import { clsx } from 'clsx'
import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'
import { lightbox } from '../../texts/lightbox-messages.ts'

interface Props extends Omit<ComponentProps<'button'>, 'children'> {
  icon: LucideIcon
  label: string
  /** As in KeyboardEvent.key; shown in the tooltip. */
  shortcut?: string
}

/** An icon button that keeps the focus while disabled (aria-disabled), so that keys still work. */
export function ToolButton({ icon: Icon, label, shortcut, className, ...rest }: Props) {
  return (
    <button
      {...rest}
      type="button"
      className={clsx('btn-icon aria-disabled:opacity-40', className)}
      aria-label={label}
      aria-keyshortcuts={shortcut}
      title={shortcut === undefined ? label : lightbox.withKey(label, shortcut)}
    >
      <Icon className="size-5" aria-hidden />
    </button>
  )
}
