import { clsx } from 'clsx'
import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'
import { lightbox } from '../../texts/lightbox-messages.ts'

interface Props extends Omit<ComponentProps<'button'>, 'children'> {
  icon: LucideIcon
  label: string
  /** As in KeyboardEvent.key; said in the hint. */
  shortcut?: string
}

/**
 * A button of the lightbox with an icon alone. One that can do nothing just now keeps the focus, so that the keys go on
 * working: aria-disabled instead of disabled.
 */
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
