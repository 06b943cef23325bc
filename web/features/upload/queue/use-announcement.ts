// Announces start, middle and end of the queue to screen readers, once for all its files.
import { useEffect, useRef, useState } from 'react'
import type { Figures } from '../engine/upload-progress.ts'
import { announcements, uploadQueue } from '../../../texts/upload-messages.ts'

const groupMs = 750

export function useAnnouncement({ underWay, percent, done, total, failed }: Figures): string {
  const [announcement, setAnnouncement] = useState('')
  const announcedPhase = useRef<Phase>('idle')
  const phase = phaseOf(underWay, percent, done + failed)
  const text = textOf(phase, total, done, total)

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

function textOf(phase: Phase, total: number, done: number, all: number): string {
  if (phase === 'started') return announcements.started(total)
  if (phase === 'half') return announcements.half
  return phase === 'over' ? uploadQueue.finished(done, all) : ''
}
