import { useEffect, useState } from 'react'
import type { ImageAnalysis } from '../../../contract/images.ts'
import { analyzeImage } from '../../data/analysis.ts'
import { ApiError, errorText } from '../../data/api-error.ts'
import { analysis } from '../../texts/analysis-messages.ts'

export type AnalysisState =
  | { status: 'loading' }
  | { status: 'loaded'; found: ImageAnalysis }
  | { status: 'error'; text: string; reason: string }
  | { status: 'offline' }

/** Asks once, and again each time the connection is back until there is an answer. */
export function useAnalysis(id: string): AnalysisState {
  const [state, setState] = useState<AnalysisState>({ status: 'loading' })
  useEffect(() => {
    const end = new AbortController()
    const ask = async () => {
      setState({ status: 'loading' })
      const next = await answer(id)
      if (end.signal.aborted) return
      setState(next)
      if (next.status === 'offline')
        window.addEventListener('online', () => void ask(), { once: true, signal: end.signal })
    }
    void ask()
    return () => end.abort()
  }, [id])
  return state
}

async function answer(id: string): Promise<AnalysisState> {
  if (id === '') return { status: 'error', text: analysis.noId, reason: '' }
  if (!navigator.onLine) return { status: 'offline' }
  try {
    return { status: 'loaded', found: await analyzeImage(id) }
  } catch (error) {
    console.info('The image could not be analyzed', error)
    if (error instanceof ApiError) return { status: 'error', text: analysis.fetchFailed, reason: error.message }
    return { status: 'error', text: errorText(error, analysis.failed), reason: '' }
  }
}
