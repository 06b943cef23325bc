// Start, middle and end of a queue in words for those who do not see it. Grouped, so that twenty files do not speak twenty times.
import { useEffect, useRef, useState } from 'react'
import type { Figures } from '../../data/upload-items.ts'
import { spoken, tray } from '../../texts/upload-messages.ts'

const groupMs = 750

export function useAnnouncement({ underWay, percent, done, total, bad }: Figures): string {
  const [said, setSaid] = useState('')
  const spokenPhase = useRef<Phase>('idle')
  const phase = phaseOf(underWay, percent, done + bad)
  const text = textOf(phase, total, done, Math.max(total, done + bad))

  useEffect(() => {
    if (phase === spokenPhase.current) return
    const timer = setTimeout(() => {
      spokenPhase.current = phase
      setSaid(text)
    }, groupMs)
    return () => clearTimeout(timer)
    // The words of the moment when it is said: a change of a figure is no news.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [phase])
  return said
}

type Phase = 'idle' | 'started' | 'half' | 'over'

function phaseOf(underWay: number, percent: number, over: number): Phase {
  if (underWay > 0) return percent < 50 ? 'started' : 'half'
  return over > 0 ? 'over' : 'idle'
}

function textOf(phase: Phase, total: number, done: number, all: number): string {
  if (phase === 'started') return spoken.started(total)
  if (phase === 'half') return spoken.half
  return phase === 'over' ? tray.finished(done, all) : ''
}
