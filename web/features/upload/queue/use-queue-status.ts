// What a queue shows: its items, how far they are, what they wait for.
import { useStore } from '../../../model/store.ts'
import type { StoredQueue } from '../engine/stored-queue.ts'
import { figuresOf, type Figures } from '../engine/upload-progress.ts'
import { isUnderWay, type UploadItem, type UploadWait, waitOf } from '../engine/upload-state.ts'
import { waitText } from '../wait-and-failure-texts.ts'
import { type UploadClock, useUploadClock } from '../use-upload-clock.ts'
import { useTitlePercent } from '../title-percent.ts'
import { useLeaveGuard } from '../../../ui/forms/use-leave-guard.ts'
import { useEffect, useRef, useState } from 'react'
import { announcements, uploadQueue } from '../../../texts/upload-messages.ts'

export interface QueueStatus {
  queue: StoredQueue
  items: readonly UploadItem[]
  wait: UploadWait | undefined
  clock: UploadClock
  figures: Figures
  percent: number
  /** For screen readers. */
  announcement: string
}

/** Also shows the percentage in the title, and asks before the page is left. */
export function useQueueStatus(queue: StoredQueue): QueueStatus {
  const items = useStore(queue.store)
  const isActive = items.some(isUnderWay)
  const wait = waitOf(items)
  const clock = useUploadClock(isActive && wait === undefined, (now) => figuresOf(items, now))
  const figures = figuresOf(items, clock.now)
  const percent = Math.floor(figures.percent)
  const announcement = useAnnouncement(figures)
  useLeaveGuard(isActive)
  useTitlePercent(isActive ? percent : undefined)
  return {
    queue,
    items,
    wait,
    clock,
    figures,
    percent,
    announcement: wait === undefined ? announcement : waitText(wait),
  }
}

const groupMs = 750

function useAnnouncement({ underWay, percent, done, total, failed }: Figures): string {
  const [announcement, setAnnouncement] = useState('')
  const announcedPhase = useRef<Phase>('idle')
  const phase = phaseOf(underWay, percent, done + failed)
  const text = textOf(phase, total, done)

  useEffect(() => {
    if (phase === announcedPhase.current) return
    const timer = setTimeout(() => {
      announcedPhase.current = phase
      setAnnouncement(text)
    }, groupMs)
    return () => clearTimeout(timer)
    // Only a change of the phase is announced, with its current figures.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [phase])
  return announcement
}

type Phase = 'idle' | 'started' | 'half' | 'over'

function phaseOf(underWay: number, percent: number, over: number): Phase {
  if (underWay > 0) return percent < 50 ? 'started' : 'half'
  return over > 0 ? 'over' : 'idle'
}

function textOf(phase: Phase, total: number, done: number): string {
  if (phase === 'started') return announcements.started(total)
  if (phase === 'half') return announcements.half
  return phase === 'over' ? uploadQueue.finished(done, total) : ''
}
