import type { LucideIcon } from 'lucide-react'
import './combobox.css'

interface Props {
  text: string
  /** Of a tag, if it has one. */
  colour?: string | null | undefined
  /** Only some of the images have it. */
  isPartial?: boolean
  icon: LucideIcon
  /** What the button does, for screen readers. */
  action: string
  onPress: () => void
}

/** A tag, or a term of the search, with the button that removes or adds it. */
export const TagChip = ({ text, colour, isPartial = false, icon: Icon, action, onPress }: Props) => (
  <span className="tag-chip" data-partial={isPartial || undefined}>
    {colour && <span className="tag-dot" data-colour={colour} aria-hidden />}
    <span>{text}</span>
    <button type="button" className="tag-chip-button" aria-label={action} onClick={onPress}>
      <Icon className="size-3.5" aria-hidden />
    </button>
  </span>
)
