import { clsx } from 'clsx'
import type { LucideIcon } from 'lucide-react'

interface Props {
  icon?: LucideIcon
  text: string
  /** Tells it from equal buttons of other rows, for screen readers. */
  name?: string
  /** Without a border. */
  isGhost?: boolean
  isDanger?: boolean
  isOff?: boolean
  opensDialog?: boolean
  onPress: () => void
}

/** A button of a row or of a bar. */
export function SmallButton(props: Props) {
  const { icon: Icon, text, name, isGhost = false, isDanger = false, isOff, opensDialog = false, onPress } = props
  const danger = isGhost ? 'btn-icon-danger' : 'text-danger-text'
  return (
    <button
      type="button"
      className={clsx('btn btn-sm coarse:h-11', isGhost ? 'btn-ghost' : 'btn-quiet', isDanger && danger)}
      aria-label={name}
      aria-haspopup={opensDialog ? 'dialog' : undefined}
      disabled={isOff}
      onClick={onPress}
    >
      {Icon && <Icon className="size-4" aria-hidden />}
      {text}
    </button>
  )
}
