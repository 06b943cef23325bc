import { useEffect } from 'react'
import { loadExpiringImages } from '../data/expiring-images.ts'

const expiringRefreshMs = 10 * 60_000
/** On return to the page, an older count is loaded again. */
const expiringReturnMs = 60_000

/** Keeps the count of images that expire soon fresh, as long as somebody looks at the page. */
export function useExpiringCount(): void {
  useEffect(() => {
    let askedAt = Date.now()
    const ask = (minAgeMs: number) => {
      if (document.hidden || !navigator.onLine || Date.now() - askedAt < minAgeMs) return
      askedAt = Date.now()
      void loadExpiringImages()
    }
    const onReturn = () => ask(expiringReturnMs)
    void loadExpiringImages()
    const timer = setInterval(ask, expiringRefreshMs, 0)
    addEventListener('focus', onReturn)
    document.addEventListener('visibilitychange', onReturn)
    return () => {
      clearInterval(timer)
      removeEventListener('focus', onReturn)
      document.removeEventListener('visibilitychange', onReturn)
    }
  }, [])
}
