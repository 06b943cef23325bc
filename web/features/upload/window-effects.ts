// Effects of an upload on the browser window.
import { useEffect } from 'react'

/** The browser asks for confirmation before it leaves the page. */
export function useAskBeforeLeaving(isAsking: boolean): void {
  useEffect(() => {
    if (!isAsking) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isAsking])
}

/** Puts `(64%) ` before the title of the page. */
export function useTitlePercent(percent: number | undefined): void {
  useEffect(() => {
    if (percent === undefined) return
    const plainTitle = () => document.title.replace(/^\(\d+%\) /, '')
    document.title = `(${percent}%) ${plainTitle()}`
    return () => {
      document.title = plainTitle()
    }
  }, [percent])
}
