// A whole run: the real server, mutated uploads, then requests over the contract, and its figures.
import { join } from 'node:path'
import { startServer } from '../e2e/server.ts'
import { register } from '../faults/client.ts'
import { atMost, type Finding, type Form, none, info } from '../faults/protocol.ts'
import { percentile } from '../faults/percentile.ts'
import { MB, watchMemory } from '../faults/processes.ts'
import { filesIn } from '../faults/verify.ts'
import { goodSet } from './good-set.ts'
import { Report } from './report.ts'
import { runRequests } from './request-run.ts'
import { fixtureEnvironment } from './fixtures.ts'
import { runUploads } from './upload-run.ts'

export interface Run {
  seed: number
  uploads: number
  requests: number
  /** `short`: other tests run beside it, so a time is no goal; and what fails is not made smaller, nor kept. */
  form: Form
}

/** docs/security.md, "Measured". */
const goals = { slowestMs: 5000, refusedMs: 250, serverBytes: 300 * MB, decoderBytes: 450 * MB }

export async function fuzz({ seed, uploads, requests, form }: Run): Promise<Finding[]> {
  const slowestMs = form === 'full' ? goals.slowestMs : Infinity
  const set = await goodSet()
  const server = await startServer({ env: fixtureEnvironment })
  const memory = watchMemory(server.pid)
  const uploadReport = new Report(form)
  const requestReport = new Report(form)
  try {
    const token = await register(server.url, 'fuzz@example.com')
    const start = performance.now()
    await runUploads({ url: server.url, token, slowestMs }, set, { seed, count: uploads, report: uploadReport })
    const uploadSeconds = (performance.now() - start) / 1000
    const picture = set.find(({ name }) => name === 'png: plain')?.bytes ?? Buffer.alloc(0)
    await runRequests(server, picture, { seed, count: requests, slowestMs, report: requestReport })
    const { server: serverBytes, decoder: decoderBytes } = memory.stop()
    const litter = await filesIn(join(server.dataDir, 'tmp'))
    return [
      info('seed', seed),
      info('good pictures that were mutated', set.length),
      info('uploads sent', `${uploadReport.count}, ${Math.round(uploadReport.count / uploadSeconds)} a second`),
      info('their answers', uploadReport.summary()),
      none('uploads answered wrongly', uploadReport.flaws),
      info('requests sent', requestReport.count),
      info('their answers', requestReport.summary()),
      none('requests answered wrongly', requestReport.flaws),
      ...(form === 'full'
        ? [
            atMost(
              'slowest answer',
              Math.max(uploadReport.slowestMs, requestReport.slowestMs) / 1000,
              goals.slowestMs / 1000,
              ' s',
            ),
            atMost(
              'refused uploads, p99, 8 sent at a time',
              percentile(uploadReport.refusedMs, 0.99),
              goals.refusedMs,
              ' ms',
            ),
          ]
        : []),
      atMost('memory of the server', serverBytes / MB, goals.serverBytes / MB, ' MB'),
      atMost('memory of a decoder', decoderBytes / MB, goals.decoderBytes / MB, ' MB'),
      none('temporary files left', litter),
    ]
  } finally {
    memory.stop()
    // A server that ended by itself would have refused the last calls already.
    await server.stop()
  }
}
