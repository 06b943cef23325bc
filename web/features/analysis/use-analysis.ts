import { useQuery } from '@tanstack/react-query'
import type { ImageAnalysis } from '../../../contract/images.ts'
import { imageAnalysis } from '../../data/analysis.ts'
import { ApiError, errorText } from '../../data/api-error.ts'
import { useOnline } from '../../data/online.ts'
import { queryClient } from '../../data/query-client.ts'
import { analysis } from '../../texts/analysis-messages.ts'

export type AnalysisState =
  | { status: 'loading' }
  | { status: 'loaded'; found: ImageAnalysis }
  | { status: 'error'; text: string; reason: string }
  | { status: 'offline' }

/** Loads the analysis once; offline, as soon as the browser is online. */
export function useAnalysis(id: string): AnalysisState {
  const isOnline = useOnline()
  const { data, error } = useQuery(
    { ...imageAnalysis(id), enabled: id !== '' && isOnline, staleTime: Infinity },
    queryClient,
  )
  if (id === '') return { status: 'error', text: analysis.noId, reason: '' }
  if (data !== undefined) return { status: 'loaded', found: data }
  if (error instanceof ApiError) return { status: 'error', text: analysis.fetchFailed, reason: error.message }
  if (error !== null) return { status: 'error', text: errorText(error, analysis.failed), reason: '' }
  return { status: isOnline ? 'loading' : 'offline' }
}
