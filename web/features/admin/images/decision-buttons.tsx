import { Ban, EyeOff, RotateCcw, Trash2, type LucideIcon } from 'lucide-react'
import type { ModeratedImage } from '../../../../contract/endpoints/moderation.ts'
import type { Decision } from './admin-images.ts'
import { decisions } from '../../../texts/admin/admin-images-messages.ts'
import { SmallButton } from '../../../ui/small-button.tsx'

const icons: Record<Decision, LucideIcon> = { quarantine: EyeOff, restore: RotateCcw, remove: Trash2, block: Ban }

interface Props {
  images: readonly ModeratedImage[]
  isOff: boolean
  onDecide: (decision: Decision) => void
}

/** The decisions that change at least one of the images. */
export function DecisionButtons({ images, isOff, onDecide }: Props) {
  const isSome = (isQuarantined: boolean) => images.some((image) => (image.quarantined_at !== null) === isQuarantined)
  const offered: Decision[] = [
    ...(isSome(false) ? (['quarantine'] as const) : []),
    ...(isSome(true) ? (['restore'] as const) : []),
    'remove',
    'block',
  ]
  return (
    <>
      {offered.map((decision) => (
        <SmallButton
          key={decision}
          icon={icons[decision]}
          text={decisions[decision].label}
          isDanger={decision === 'remove' || decision === 'block'}
          isOff={isOff}
          onPress={() => onDecide(decision)}
        />
      ))}
    </>
  )
}
