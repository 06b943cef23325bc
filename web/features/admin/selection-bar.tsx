// Actions on the selected rows or images, at the end of the window while any is selected.
import { CheckCheck, X } from 'lucide-react'
import { useEffect, useEffectEvent, type ReactNode } from 'react'
import { selectionBar as texts } from '../../texts/admin/admin-messages.ts'

interface Props {
  label: string
  count: number
  /** How many could be selected. */
  loaded: number
  /** The buttons of the actions. */
  children: ReactNode
  onSelectAll: () => void
  onClear: () => void
}

export function SelectionBar({ label, count, loaded, children, onSelectAll, onClear }: Props) {
  const clear = useEffectEvent(onClear)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented && document.querySelector('dialog[open]') === null) clear()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])

  return (
    <div className="bars">
      <section className="selection-bar" aria-label={label}>
        <p className="font-semibold tabular-nums" role="status">
          {texts.count(count)}
        </p>
        <div className="selection-actions">
          {count < loaded && (
            <button type="button" className="btn btn-ghost btn-sm coarse:h-11" onClick={onSelectAll}>
              <CheckCheck className="size-4" aria-hidden />
              {texts.all(loaded)}
            </button>
          )}
          {children}
        </div>
        <button type="button" className="btn btn-ghost btn-sm coarse:h-11 max-md:order-1" onClick={onClear}>
          <X className="size-4" aria-hidden />
          {texts.clear}
        </button>
      </section>
    </div>
  )
}
