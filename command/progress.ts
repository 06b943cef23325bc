// Shows how far an upload is: a line that is redrawn on a terminal, nothing elsewhere.
import { bytesText } from '../server/command.ts'

export interface Totals {
  files: number
  bytes: number
}

interface State {
  done: Totals
  total: Totals
  /** Those of `done` that were not sent now. */
  skippedBytes: number
  elapsedMs: number
  /** Shown instead of the time left. */
  wait?: Wait | undefined
}

interface Wait {
  /** @param duration such as '12 seconds' */
  text: (duration: string) => string
  leftMs: number
}

const barWidth = 24
const redrawEveryMs = 100
/** A single smaller file is sent before anybody reads the line. */
const minShownBytes = 1024 ** 2

/** One line of at most `columns` characters. */
export function progressLine({ done, total, skippedBytes, elapsedMs, wait }: State, columns: number): string {
  const share = total.bytes === 0 ? done.files / total.files : done.bytes / total.bytes
  const filled = Math.floor(Math.min(1, share) * barWidth)
  const bytesPerS = Math.max(0, done.bytes - skippedBytes) / Math.max(elapsedMs / 1000, 0.001)
  const leftMs = bytesPerS > 0 ? (Math.max(0, total.bytes - done.bytes) / bytesPerS) * 1000 : undefined
  const parts = [
    `[${'#'.repeat(filled)}${'-'.repeat(barWidth - filled)}]`,
    `${done.files}/${total.files}`,
    ...(wait
      ? [waitText(wait)]
      : [`${bytesText(bytesPerS)}/s`, leftMs === undefined ? '' : `${durationText(leftMs)} left`]),
  ]
  return parts
    .join('  ')
    .trimEnd()
    .slice(0, columns - 1)
}

const waitText = ({ text, leftMs }: Wait) => text(durationInWords(leftMs))

function durationInWords(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000))
  if (seconds < 120) return `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`
  return `${Math.ceil(seconds / 60)} minutes`
}

function durationText(ms: number): string {
  const seconds = Math.ceil(ms / 1000)
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  const rest = String(seconds % 60).padStart(2, '0')
  return hours === 0 ? `${minutes}:${rest}` : `${hours}:${String(minutes).padStart(2, '0')}:${rest}`
}

export type Progress = ReturnType<typeof showProgress>

/** Draws on standard error when that is a terminal and the upload takes a moment. */
export function showProgress(total: Totals) {
  const { stderr } = process
  const isShown = stderr.isTTY && (total.files > 1 || total.bytes > minShownBytes)
  const start = performance.now()
  const finished: Totals = { files: 0, bytes: 0 }
  let skippedBytes = 0
  const sending = new Map<string, number>()
  let wait: { text: Wait['text']; until: number } | undefined
  let announcedUntil = 0
  const clear = () => {
    if (isShown) stderr.write('\r\u001B[K')
  }
  const draw = () => {
    const now = performance.now()
    const bytes = [...sending.values()].reduce((sum, sent) => sum + sent, finished.bytes)
    const state = {
      done: { files: finished.files, bytes },
      total,
      skippedBytes,
      elapsedMs: now - start,
      wait: wait && { ...wait, leftMs: wait.until - now },
    }
    stderr.write(`\r${progressLine(state, stderr.columns || 80)}\u001B[K`)
  }
  const timer = isShown ? setInterval(draw, redrawEveryMs) : undefined
  return {
    /** A file of which nothing was sent before. */
    start(file: string): void {
      sending.set(file, 0)
    },
    /** Of a file that is being sent. Without {@link start}, an earlier command has sent what the first call reports. */
    sent(file: string, bytes: number): void {
      if (!sending.has(file)) skippedBytes += bytes
      sending.set(file, bytes)
      wait = undefined
    },
    /** @param wasSent whether its bytes were sent now */
    add(file: string, bytes: number, wasSent: boolean): void {
      sending.delete(file)
      finished.files++
      finished.bytes += bytes
      if (!wasSent) skippedBytes += bytes
      wait = undefined
    },
    /** On the terminal beside the bar, elsewhere a line of its own: one for all files that wait at the same time. */
    wait(text: Wait['text'], waitMs: number): void {
      const now = performance.now()
      if (isShown) wait = { text, until: now + waitMs }
      else if (now >= announcedUntil) stderr.write(`${waitText({ text, leftMs: waitMs })}\n`)
      announcedUntil = Math.max(announcedUntil, now + waitMs)
    },
    /** Writes lines above the bar. */
    write(write: () => void): void {
      clear()
      write()
    },
    end(): void {
      clearInterval(timer)
      clear()
    },
  }
}
