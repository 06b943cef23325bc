// What the browser's window does meanwhile.
import { useEffect } from 'react'

/** The browser asks before it leaves the page. */
export function useAskBeforeLeaving(isAsking: boolean): void {
  useEffect(() => {
    if (!isAsking) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isAsking])
}

/** `(64%) ` before the title, whatever page it is of. */
export function useTitlePercent(percent: number | undefined): void {
  useEffect(() => {
    if (percent === undefined) return
    const rest = () => document.title.replace(/^\(\d+%\) /, '')
    document.title = `(${percent}%) ${rest()}`
    return () => {
      document.title = rest()
    }
  }, [percent])
}
