import { Ban, EyeOff, RotateCcw, Trash2, type LucideIcon } from 'lucide-react'
import { clsx } from 'clsx'
import type { ModeratedImage } from '../../../../contract/endpoints/moderation.ts'
import type { Decision } from './admin-images.ts'
import { decisions } from '../../../texts/admin/admin-images-messages.ts'

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
      {offered.map((decision) => {
        const Icon = icons[decision]
        const isDanger = decision === 'remove' || decision === 'block'
        return (
          <button
            key={decision}
            type="button"
            className={clsx('btn btn-quiet btn-sm coarse:h-11', isDanger && 'text-danger-text')}
            disabled={isOff}
            onClick={() => onDecide(decision)}
          >
            <Icon className="size-4" aria-hidden />
            {decisions[decision].label}
          </button>
        )
      })}
    </>
  )
}
