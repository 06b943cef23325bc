import { LayoutGrid, List } from 'lucide-react'
import { toolbar } from '../../texts/dashboard-messages.ts'
import { Tooltip } from '../tooltip.tsx'

interface Props {
  view: 'grid' | 'list'
  onView: (view: 'grid' | 'list') => void
}

const views = [
  ['grid', LayoutGrid],
  ['list', List],
] as const

/** Shows images in a grid or in a list. */
export const ViewSwitch = ({ view, onView }: Props) => (
  <div className="segments shrink-0" role="group" aria-label={toolbar.view}>
    {views.map(([name, Icon]) => (
      <Tooltip key={name} text={toolbar[name]}>
        <button
          type="button"
          className="segment"
          aria-label={toolbar[name]}
          aria-pressed={view === name}
          onClick={() => onView(name)}
        >
          <Icon className="size-4" aria-hidden />
        </button>
      </Tooltip>
    ))}
  </div>
)
