import { useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight, EyeOff } from 'lucide-react'
import { troubleOf } from '../../../model/api-error.ts'
import type { ModeratedImage } from '../../../../contract/endpoints/moderation.ts'
import { imagePreview, type AdminImageQuery, type Decision } from './admin-images.ts'
import { queryClient } from '../../../model/query-client.ts'
import { adminLightbox as texts } from '../../../texts/admin/admin-images-messages.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { useDocumentKeys } from '../../../ui/use-document-keys.ts'
import { useObjectUrl } from '../../../ui/use-object-url.ts'
import { LoadFailure } from '../../../ui/load-failure.tsx'
import { DecisionButtons } from './decision-buttons.tsx'
import { ImageFacts } from './image-facts.tsx'
import '../../../styles/sheet.css'

interface Props {
  image: ModeratedImage
  /** Position in the list, from 0. */
  at: number
  total: number
  isOff: boolean
  /** Undefined at the end of the list. */
  onPrevious: (() => void) | undefined
  onNext: (() => void) | undefined
  onDecide: (decision: Decision, image: ModeratedImage) => void
  onFind: (query: AdminImageQuery) => void
  onBlockUploader: (image: ModeratedImage) => void
  onClose: () => void
}

/** One image as large as it fits, with facts and decisions. Arrow keys step through the list. */
export function AdminLightbox(props: Props) {
  const { image, at, total, isOff, onPrevious, onNext, onDecide, onFind, onBlockUploader, onClose } = props
  useDocumentKeys(({ key, altKey, ctrlKey, metaKey }) => {
    const isConfirming = document.querySelector('dialog[open][role=alertdialog]') !== null
    if (isConfirming || altKey || ctrlKey || metaKey) return
    if (key === 'ArrowLeft') onPrevious?.()
    if (key === 'ArrowRight') onNext?.()
  })

  return (
    <Dialog title={image.original_name} size="wide" onClose={onClose}>
      <div className="moderated-view grid gap-5 lg:grid-cols-[minmax(0,1fr)_19rem]">
        <Preview key={image.id} image={image} />
        <ImageFacts image={image} isOff={isOff} onFind={onFind} onBlockUploader={() => onBlockUploader(image)} />
      </div>
      <div className="sheet-bar flex flex-wrap items-center justify-between gap-x-4 gap-y-2 md:-mx-6 md:-mb-6 md:px-6">
        <div className="flex items-center gap-1">
          <StepButton icon={ChevronLeft} text={texts.previous} onPress={onPrevious} />
          <StepButton icon={ChevronRight} text={texts.next} onPress={onNext} />
          <p className="ml-1 text-dense text-text-2 tabular-nums" role="status">
            {texts.position(at + 1, total)}
          </p>
        </div>
        <div className="flex flex-wrap gap-2">
          <DecisionButtons images={[image]} isOff={isOff} onDecide={(decision) => onDecide(decision, image)} />
        </div>
      </div>
    </Dialog>
  )
}

function Preview({ image }: { image: ModeratedImage }) {
  const { data, error, isPending, refetch } = useQuery(imagePreview(image.id), queryClient)
  const url = useObjectUrl(data)
  return (
    <div
      className="relative grid min-h-56 place-items-center overflow-clip rounded-card bg-surface-2 md:min-h-[min(60dvh,34rem)]"
      style={{ backgroundColor: isPending ? image.placeholder : undefined }}
    >
      {isPending && (
        <p role="status" className="sr-only">
          {texts.loading}
        </p>
      )}
      {error !== null && <LoadFailure title={texts.failed} {...troubleOf(error)} onRetry={refetch} />}
      {url !== undefined && <img className="max-h-[min(60dvh,60rem)] max-w-full" src={url} alt={image.original_name} />}
      {image.quarantined_at !== null && url !== undefined && (
        <EyeOff className="absolute top-3 left-3 size-8 rounded-full bg-overlay p-1.5 text-on-accent" aria-hidden />
      )}
    </div>
  )
}

interface StepProps {
  icon: typeof ChevronLeft
  text: string
  onPress: (() => void) | undefined
}

/** Stays focusable at the end of the list, so that the focus is not lost. */
function StepButton({ icon: Icon, text, onPress }: StepProps) {
  return (
    <button
      type="button"
      className="btn-icon aria-disabled:opacity-50"
      aria-label={text}
      aria-disabled={onPress === undefined}
      onClick={onPress}
    >
      <Icon className="size-5" aria-hidden />
    </button>
  )
}
