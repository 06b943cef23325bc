import { clsx } from 'clsx'
import type { LucideIcon } from 'lucide-react'
import { useOnline } from '../../model/online.ts'
import { Tooltip } from '../../ui/tooltip.tsx'

interface Props {
  icon: LucideIcon
  text: string
  name: string
  isDanger?: boolean
  /** Why it can never be pressed; undefined when it can. */
  reason?: string | undefined
  onPress: () => void
}

/** Disabled without a connection. A disabled button that explains why can still be focused. */
export function RowButton({ icon: Icon, text, name, isDanger = false, reason, onPress }: Props) {
  return (
    <Tooltip text={reason ?? text}>
      <button
        type="button"
        className={clsx('btn btn-quiet row-button', isDanger && 'btn-icon-danger')}
        aria-label={reason === undefined ? name : `${name}. ${reason}`}
        aria-disabled={reason !== undefined}
        disabled={!useOnline()}
        onClick={() => reason === undefined && onPress()}
      >
        <Icon className="size-4.5 shrink-0" aria-hidden />
        <span className="row-button-text" aria-hidden>
          {text}
        </span>
      </button>
    </Tooltip>
  )
}
