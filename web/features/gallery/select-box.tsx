import { Check } from 'lucide-react'
import { gallery } from '../../texts/gallery-messages.ts'

interface Props {
  name: string
  isSelected: boolean
  isReachable: boolean
  /** @param isRange selects everything from the last selected image to this one */
  onToggle: (isRange: boolean) => void
}

export function SelectBox({ name, isSelected, isReachable, onToggle }: Props) {
  return (
    <span className="select-box">
      <input
        type="checkbox"
        aria-label={gallery.select(name)}
        tabIndex={isReachable ? 0 : -1}
        checked={isSelected}
        onChange={(event) => onToggle((event.nativeEvent as MouseEvent).shiftKey)}
      />
      {isSelected && <Check className="select-mark" strokeWidth={3} aria-hidden />}
    </span>
  )
}
