import { useEffect } from 'react'
import { limits } from '../../contract/limits.ts'
import { loadExpiringImages } from '../data/expiring-images.ts'

const { expiringRefreshMs, expiringReturnMs } = limits.client

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
