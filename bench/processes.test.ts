import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { canPin, pinToCore, sampleUsage } from './processes.ts'

const busy =
  'const held = Buffer.alloc(150e6, 1); for (let n = 0; n < 3e8; n++); console.log(held.length); setInterval(() => {}, 1e6)'
const child = spawn(process.execPath, ['-e', busy], { stdio: ['ignore', 'pipe', 'inherit'] })
const pid = child.pid ?? 0
afterAll(() => child.kill('SIGKILL'))

test.runIf(process.platform === 'linux')('a watch returns the CPU time and peak memory of a process', async () => {
  const usage = sampleUsage(pid)
  await once(child.stdout, 'data')
  const { cpuMs, peakMB } = usage.stop()
  expect(cpuMs).toBeGreaterThan(20)
  expect(peakMB).toEqual([expect.any(Number)]) // no decoder
  expect(peakMB[0]).toBeGreaterThan(150)
})

test('unreadable memory yields no figure', () => {
  expect(sampleUsage(2 ** 30).stop().peakMB).toEqual([])
})

test.runIf(canPin)('a pinned process uses one core', () => {
  const cores = () => /^Cpus_allowed_list:\s*(.+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]
  pinToCore(pid, 0)
  expect(cores()).toBe('0')
})
