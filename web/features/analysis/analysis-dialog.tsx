import { useQuery } from '@tanstack/react-query'
import { CircleAlert, WifiOff } from 'lucide-react'
import type { ImageAnalysis } from '../../../contract/images.ts'
import { analysis } from '../../texts/analysis-messages.ts'
import { common } from '../../texts/messages.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { AnalysisView } from './analysis-view.tsx'
import type { AnalyzedImage } from './analyzed-image.ts'
import { imageAnalysis } from '../../data/image-analysis.ts'
import { ApiError, errorText } from '../../data/api-error.ts'
import { useOnline } from '../../data/online.ts'
import { queryClient } from '../../data/query-client.ts'

interface Props {
  image: AnalyzedImage
  onClose: () => void
}

export function AnalysisDialog({ image, onClose }: Props) {
  const state = useAnalysis(image.id)
  return (
    <Dialog title={analysis.title} closeLabel={common.close} onClose={onClose} size="wide">
      <p className="-mt-4 truncate text-dense text-text-2" title={image.original_name}>
        {image.original_name}
      </p>
      {state.status === 'loading' && <Skeleton />}
      {state.status === 'loaded' && <AnalysisView image={image} found={state.found} />}
      {(state.status === 'offline' || state.status === 'error') && <Trouble {...state} onClose={onClose} />}
    </Dialog>
  )
}

interface TroubleProps {
  status: 'offline' | 'error'
  text: string
  reason: string
  onClose: () => void
}

function Trouble({ status, text, reason, onClose }: TroubleProps) {
  return (
    <div className="grid min-h-64 flex-1 place-content-center justify-items-center gap-3 py-6 text-center">
      {status === 'offline' ? (
        <WifiOff className="size-8 text-text-3" aria-hidden />
      ) : (
        <CircleAlert className="size-8 text-danger-text" aria-hidden />
      )}
      <div role="alert">
        <p className="text-lead font-semibold text-balance">{text}</p>
        {reason !== '' && <p className="mt-1 max-w-prose text-text-2">{reason}</p>}
      </div>
      <button type="button" className="btn btn-quiet mt-3" onClick={onClose}>
        {common.close}
      </button>
    </div>
  )
}

/** As tall as the content that replaces it, so that the layout does not shift. */
function Skeleton() {
  return (
    <div role="status" className="grid gap-6 md:grid-cols-[18rem_1fr]">
      <span className="sr-only">{analysis.loading}</span>
      <div className="skeleton h-56" />
      <div className="grid content-start gap-3">
        {Array.from({ length: 8 }, (_, row) => (
          <div key={row} className="skeleton h-5 rounded-badge" />
        ))}
      </div>
      <div className="skeleton h-40 md:col-span-2" />
    </div>
  )
}

type AnalysisState =
  | { status: 'loading' }
  | { status: 'loaded'; found: ImageAnalysis }
  | { status: 'offline' | 'error'; text: string; reason: string }

/** Loads the analysis once; offline, as soon as the browser is online. */
function useAnalysis(id: string): AnalysisState {
  const isOnline = useOnline()
  const { data, error } = useQuery(
    { ...imageAnalysis(id), enabled: id !== '' && isOnline, staleTime: Infinity },
    queryClient,
  )
  if (id === '') return { status: 'error', text: analysis.noId, reason: '' }
  if (data !== undefined) return { status: 'loaded', found: data }
  if (error instanceof ApiError) return { status: 'error', text: analysis.fetchFailed, reason: error.message }
  if (error !== null) return { status: 'error', text: errorText(error, analysis.failed), reason: '' }
  return isOnline ? { status: 'loading' } : { status: 'offline', text: analysis.offline, reason: analysis.offlineHint }
}
