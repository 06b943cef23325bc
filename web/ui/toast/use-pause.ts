import { useCallback, useEffect, useRef } from 'react'

type Reason = 'pointer' | 'focus' | 'hidden'

/**
 * Pauses the toast timers while there is a reason: the pointer or the focus is on a toast, or the page is hidden. The
 * library loses the elapsed time when a pause starts twice, so only the first and the last reason are passed on.
 */
export function usePause(start: () => void, end: () => void, isEmpty: boolean) {
  const reasons = useRef(new Set<Reason>())
  const hold = useCallback(
    (reason: Reason) => {
      if (reasons.current.size === 0) start()
      reasons.current.add(reason)
    },
    [start],
  )
  const release = useCallback(
    (reason: Reason) => {
      if (reasons.current.delete(reason) && reasons.current.size === 0) end()
    },
    [end],
  )

  useEffect(() => {
    // A toast that is removed under the pointer or with the focus fires no leave event: nothing else would end the pause.
    if (isEmpty) for (const reason of ['pointer', 'focus'] as const) release(reason)
  }, [isEmpty, release])

  useEffect(() => {
    const look = () => (document.hidden ? hold('hidden') : release('hidden'))
    look()
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [hold, release])

  return { hold, release }
}
