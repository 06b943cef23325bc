import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { etaMs, figuresOf, nextPace, startPace, type Pace } from '../../data/upload/upload-progress.ts'
import { isUnderWay, type UploadItem } from '../../data/upload/upload-state.ts'

const tickMs = 250

/** The current time and the estimated time left, updated while an item is under way. */
export function useUploadClock(items: readonly UploadItem[]): { now: number; etaMs: number | undefined } {
  const [clock, setClock] = useState({ now: Date.now(), etaMs: undefined as number | undefined })
  const pace = useRef<Pace>(undefined)
  const isActive = items.some(isUnderWay)

  const tick = useEffectEvent(() => {
    const now = Date.now()
    const { work, allWork } = figuresOf(items, now)
    pace.current = pace.current === undefined ? startPace(now, work) : nextPace(pace.current, now, work)
    setClock({ now, etaMs: etaMs(pace.current, allWork - work) })
  })

  useEffect(() => {
    if (!isActive) return
    const timer = setInterval(() => tick(), tickMs)
    return () => {
      clearInterval(timer)
      pace.current = undefined
      setClock({ now: Date.now(), etaMs: undefined })
    }
  }, [isActive])
  return clock
}
