import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { nextPace, type Pace, type Sample, speedOf } from './engine/upload-speed.ts'

const tickMs = 250

/** What is known of the speed: undefined until it is reliable. */
export interface UploadClock {
  now: number
  bytesPerMs: number | undefined
  etaMs: number | undefined
}

type Amounts = Omit<Sample, 'at'> & { allWork: number }

/** The current time, the speed and the estimated time left, updated while uploads get further. */
export function useUploadClock(isMoving: boolean, amountsAt: (now: number) => Amounts): UploadClock {
  const [clock, setClock] = useState<UploadClock>(() => stopped(Date.now()))
  const pace = useRef<Pace>([])

  const tick = useEffectEvent(() => {
    const now = Date.now()
    const { bytesSent, work, allWork } = amountsAt(now)
    pace.current = nextPace(pace.current, { at: now, bytesSent, work })
    const speed = speedOf(pace.current, 'work')
    const etaMs = speed === undefined ? undefined : (allWork - work) / speed
    setClock({ now, bytesPerMs: speedOf(pace.current, 'bytesSent'), etaMs })
  })

  useEffect(() => {
    if (!isMoving) return
    const timer = setInterval(() => tick(), tickMs)
    return () => {
      clearInterval(timer)
      pace.current = []
      setClock(stopped(Date.now()))
    }
  }, [isMoving])
  return clock
}

const stopped = (now: number): UploadClock => ({ now, bytesPerMs: undefined, etaMs: undefined })
