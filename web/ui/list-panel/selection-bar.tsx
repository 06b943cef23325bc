import { CheckCheck, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { lists } from '../../texts/list-messages.ts'
import { LiveText } from '../live-text.tsx'
import { SmallButton } from '../small-button.tsx'
import { useClearByEscape } from './use-selection.ts'

interface Props {
  label: string
  /** Of useSelection. */
  selection: { selected: readonly unknown[]; loaded: number; selectAll: () => void; clear: () => void }
  /** The buttons of the actions. */
  children: ReactNode
}

/** Actions on the selected rows, at the end of the window while any is selected. */
export const SelectionBar = (props: Props) => props.selection.selected.length > 0 && <Bar {...props} />

function Bar({ label, selection: { selected, loaded, selectAll, clear }, children }: Props) {
  useClearByEscape(clear)
  return (
    <div className="bars">
      <section className="selection-bar" aria-label={label}>
        <LiveText className="font-semibold tabular-nums">{lists.selected(selected.length)}</LiveText>
        <div className="selection-actions">
          {selected.length < loaded && (
            <SmallButton icon={CheckCheck} text={lists.selectAll(loaded)} isGhost onPress={selectAll} />
          )}
          {children}
        </div>
        <button type="button" className="btn btn-ghost btn-sm coarse:h-11 max-md:order-1" onClick={clear}>
          <X className="size-4" aria-hidden />
          {lists.clearSelection}
        </button>
      </section>
    </div>
  )
}
