// Effects of an upload on the browser window.
import { useEffect } from 'react'

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
