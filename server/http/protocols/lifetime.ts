// The lifetime of an image in the formats of other hosts.
import { dayMs } from '../../../contract/plain/limits.ts'
import { Failure } from '../../domain/shared/failure.ts'

const unitMs: Record<string, number> = { W: 7 * dayMs, D: dayMs, H: 3_600_000, M: 60_000, S: 1000 }
const shortestMs = 60_000

/**
 * Parses seconds, '7d', an ISO 8601 duration of weeks, days, hours, minutes and seconds, or a time.
 * @returns milliseconds from `now`; undefined for nothing, zero and 'never'
 * @throws {Failure} invalid_input
 */
export function parseLifetime(field: string, written: unknown, now: number): number | undefined {
  const text = typeof written === 'string' || typeof written === 'number' ? String(written).trim() : ''
  if (/^(0*|never)$/i.test(text)) return undefined
  const ms = parseDuration(text.toUpperCase()) ?? parseTime(text, now)
  if (ms === undefined) throw new Failure('invalid_input', { field, problem: 'must be seconds, a duration or a time' })
  if (ms < shortestMs) throw new Failure('invalid_input', { field, problem: 'must be at least one minute' })
  return ms
}

function parseDuration(text: string): number | undefined {
  const [, short, unit = 'S'] = /^(\d{1,9})([SMHDW])?$/.exec(text) ?? []
  if (short !== undefined) return Number(short) * (unitMs[unit] ?? 0)
  const [, days, times] = /^P(\d[\dDW]*)?(?:T(\d[\dHMS]*))?$/.exec(text) ?? []
  const parts = [...`${days ?? ''}${times ?? ''}`.matchAll(/(\d{1,9})([WDHMS])/g)]
  if (parts.length === 0) return undefined
  return parts.reduce((sum, [, count, part = '']) => sum + Number(count) * (unitMs[part] ?? 0), 0)
}

/** A time without a zone is UTC. */
function parseTime(text: string, now: number): number | undefined {
  const [, time] = /^(?:date=)?(\d{4}-\d\d-\d\d(?:[T ][\d:.]{5,12}(?:Z|[+-]\d\d:\d\d)?)?)$/.exec(text) ?? []
  if (time === undefined) return undefined
  const at = Date.parse(
    /Z$|[+-]\d\d:\d\d$/.test(time) ? time : `${time.replace(' ', 'T')}${time.length > 10 ? 'Z' : ''}`,
  )
  return Number.isNaN(at) ? undefined : at - now
}
