import { useCallback, useEffect, useRef } from 'react'

type Reason = 'pointer' | 'focus' | 'hidden'

/**
 * Time stands still for the toasts as long as there is any reason: the pointer or the focus is on one of them, or nobody sees
 * the page. Told to start twice, the engine would forget the time before; so it is told of the first reason and the last.
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
    // A toast that goes while the pointer or the focus is on it says no goodbye: nothing would end the pause.
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
