import { useEffect } from 'react'

/** While it is on, the browser asks for confirmation before it leaves the page. */
export function useLeaveGuard(isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return undefined
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isOn])
}
