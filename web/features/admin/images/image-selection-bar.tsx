// Decisions about the selected images, at the end of the window while any is selected.
import { CheckCheck, X } from 'lucide-react'
import { useEffect, useEffectEvent } from 'react'
import type { ModeratedImage } from '../../../../contract/moderation.ts'
import type { Decision } from '../../../data/admin-images.ts'
import { imageSelection as texts } from '../../../texts/admin-images-messages.ts'
import { DecisionButtons } from './decision-buttons.tsx'

interface Props {
  images: readonly ModeratedImage[]
  /** The number of loaded images. */
  loaded: number
  isOff: boolean
  onDecide: (decision: Decision) => void
  onSelectAll: () => void
  onClear: () => void
}

export function ImageSelectionBar({ images, loaded, isOff, onDecide, onSelectAll, onClear }: Props) {
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
      <section className="selection-bar" aria-label={texts.label}>
        <p className="font-semibold tabular-nums" role="status">
          {texts.count(images.length)}
        </p>
        <div className="selection-actions">
          {images.length < loaded && (
            <button type="button" className="btn btn-ghost btn-sm coarse:h-11" onClick={onSelectAll}>
              <CheckCheck className="size-4" aria-hidden />
              {texts.all(loaded)}
            </button>
          )}
          <DecisionButtons images={images} isOff={isOff} onDecide={onDecide} />
        </div>
        <button type="button" className="btn btn-ghost btn-sm coarse:h-11 max-md:order-1" onClick={onClear}>
          <X className="size-4" aria-hidden />
          {texts.clear}
        </button>
      </section>
    </div>
  )
}
