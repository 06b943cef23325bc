// Shows how far an upload of several files is: a line that is redrawn on a terminal, nothing elsewhere.
import { bytesText } from '../server/cli/command.ts'

export interface Totals {
  files: number
  bytes: number
}

interface State {
  done: Totals
  total: Totals
  elapsedMs: number
  /** Shown instead of the time left. */
  wait?: { reason: string; leftMs: number } | undefined
}

const barWidth = 24
const redrawEveryMs = 100

/** One line of at most `columns` characters. */
export function progressLine({ done, total, elapsedMs, wait }: State, columns: number): string {
  const share = total.bytes === 0 ? done.files / total.files : done.bytes / total.bytes
  const filled = Math.floor(Math.min(1, share) * barWidth)
  const bytesPerS = done.bytes / Math.max(elapsedMs / 1000, 0.001)
  const leftMs = share > 0 ? (elapsedMs / share) * (1 - share) : undefined
  const parts = [
    `[${'#'.repeat(filled)}${'-'.repeat(barWidth - filled)}]`,
    `${done.files}/${total.files}`,
    `${bytesText(bytesPerS)}/s`,
    wait ? waitText(wait) : leftMs === undefined ? '' : `${durationText(leftMs)} left`,
  ]
  return parts
    .join('  ')
    .trimEnd()
    .slice(0, columns - 1)
}

const waitText = ({ reason, leftMs }: { reason: string; leftMs: number }) =>
  `waiting ${Math.max(0, Math.ceil(leftMs / 1000))} s: ${reason}`

function durationText(ms: number): string {
  const seconds = Math.ceil(ms / 1000)
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  const rest = String(seconds % 60).padStart(2, '0')
  return hours === 0 ? `${minutes}:${rest}` : `${hours}:${String(minutes).padStart(2, '0')}:${rest}`
}

export type Progress = ReturnType<typeof showProgress>

/** Draws on standard error when that is a terminal and there is more than one file. */
export function showProgress(total: Totals) {
  const { stderr } = process
  const isShown = stderr.isTTY && total.files > 1
  const start = performance.now()
  const done: Totals = { files: 0, bytes: 0 }
  let wait: { reason: string; until: number } | undefined
  const clear = () => {
    if (isShown) stderr.write('\r\u001B[K')
  }
  const draw = () => {
    const now = performance.now()
    const state = { done, total, elapsedMs: now - start, wait: wait && { ...wait, leftMs: wait.until - now } }
    const line = progressLine(state, stderr.columns || 80)
    stderr.write(`\r${line}\u001B[K`)
  }
  const timer = isShown ? setInterval(draw, redrawEveryMs) : undefined
  return {
    add(bytes: number): void {
      done.files++
      done.bytes += bytes
      wait = undefined
    },
    /** On the terminal beside the bar, elsewhere a line of its own. */
    wait(reason: string, waitMs: number): void {
      if (isShown) wait = { reason, until: performance.now() + waitMs }
      else stderr.write(`${waitText({ reason, leftMs: waitMs })}\n`)
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
