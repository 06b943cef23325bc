import { useEffect, useState } from 'react'

const everyMs = 250

/** The time, looked at now and then while `isRunning`. */
export function useNow(isRunning: boolean): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [isRunning])
  return now
}
