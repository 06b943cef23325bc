import { useQuery } from '@tanstack/react-query'
import { use } from 'react'
import type { ImageAnalysis } from '../../../contract/endpoints/images.ts'
import { analysis } from '../../texts/analysis-messages.ts'
import { common } from '../../texts/messages.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { WaitText } from '../../ui/dialog/wait-text.ts'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { AnalysisView } from './analysis-view.tsx'
import type { AnalyzedImage } from './analyzed-image.ts'
import { imageAnalysis } from './image-analysis.ts'
import { ApiError, NoResponse, troubleOf, type Trouble } from '../../model/api-error.ts'
import { useOnline } from '../../model/online.ts'
import { queryClient } from '../../model/query-client.ts'
import { shownName } from '../../model/images/stored-image.ts'
import { SmallButton } from '../../ui/small-button.tsx'

interface Props {
  image: AnalyzedImage
  onClose: () => void
}

export function AnalysisDialog({ image, onClose }: Props) {
  const state = useAnalysis(image.id)
  return (
    <Dialog title={analysis.title} onClose={onClose} size="wide">
      <p className="-mt-4 truncate text-dense text-text-2" title={shownName(image)}>
        {shownName(image)}
      </p>
      {state.status === 'loading' && <Skeleton />}
      {state.status === 'loaded' && <AnalysisView image={image} found={state.found} />}
      {state.status === 'failed' && (
        <LoadFailure {...state.problem} onRetry={state.retry}>
          <SmallButton text={common.close} onPress={onClose} />
        </LoadFailure>
      )}
    </Dialog>
  )
}

/** As tall as the content that replaces it, so that the layout does not shift. */
function Skeleton() {
  const waitText = use(WaitText)
  return (
    <div role="status" className="grid gap-6 md:grid-cols-[18rem_1fr]">
      <span className="sr-only">{analysis.loading}</span>
      <div className="skeleton h-56">{waitText !== undefined && <p className="p-4 text-dense">{waitText}</p>}</div>
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
  | { status: 'failed'; problem: Trouble & { title: string }; retry: () => unknown }

/** Loads the analysis once; offline, as soon as the browser is online. */
function useAnalysis(id: string): AnalysisState {
  const isOnline = useOnline()
  const { data, error, refetch } = useQuery(
    { ...imageAnalysis(id), enabled: id !== '' && isOnline, staleTime: Infinity },
    queryClient,
  )
  const failed = (problem: Trouble & { title: string }) => ({ status: 'failed', problem, retry: refetch }) as const
  if (id === '') return failed({ title: analysis.noId, reason: '', kind: 'failed', canRetry: false })
  if (data !== undefined) return { status: 'loaded', found: data }
  if (error !== null) return failed({ title: titleOf(error), ...troubleOf(error) })
  if (isOnline) return { status: 'loading' }
  return failed({ title: analysis.offline, reason: analysis.offlineHint, kind: 'offline', canRetry: false })
}

/** A refusal is named; of a refused connection the browser's own text is shown; anything else has no text for people. */
function titleOf(error: Error): string {
  if (error instanceof ApiError) return analysis.fetchFailed
  const own = error instanceof NoResponse && !error.isTimeout && error.cause instanceof Error ? error.cause.message : ''
  return own || analysis.failed
}
