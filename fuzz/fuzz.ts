// A complete run against a real server: mutated uploads, then requests generated from the contract,
// and the figures.
import { join } from 'node:path'
import { startServer } from '../e2e/server.ts'
import { register } from '../faults/client.ts'
import { atMost, type Finding, type Form, none, info } from '../faults/scenario.ts'
import { percentile } from '../faults/percentile.ts'
import { MB, watchMemory } from '../faults/processes.ts'
import { filesIn } from '../faults/verify.ts'
import { createBaseImages } from './base-images.ts'
import { Report } from './report.ts'
import { runRequests } from './request-run.ts'
import { fixtureEnvironment } from './fixtures.ts'
import { runUploads } from './upload-run.ts'

export interface Run {
  seed: number
  uploads: number
  requests: number
  /**
   * `short`: other tests run in parallel, so no time limits apply, and failing cases are neither
   * shrunk nor saved.
   */
  form: Form
}

/** Goals of faults/README.md. */
const goals = { slowestMs: 5000, rejectedMs: 250, serverBytes: 300 * MB, decoderBytes: 450 * MB }

export async function fuzz({ seed, uploads, requests, form }: Run): Promise<Finding[]> {
  const slowestMs = form === 'full' ? goals.slowestMs : Infinity
  const set = await createBaseImages()
  const server = await startServer({ env: fixtureEnvironment })
  const memory = watchMemory(server.pid)
  const uploadReport = new Report(form)
  const requestReport = new Report(form)
  try {
    const token = await register(server.url, 'fuzz@example.com')
    const start = performance.now()
    await runUploads({ url: server.url, token, slowestMs }, set, { seed, count: uploads, report: uploadReport })
    const uploadSeconds = (performance.now() - start) / 1000
    const image = set.find(({ name }) => name === 'png: plain')?.bytes ?? Buffer.alloc(0)
    await runRequests(server, image, { seed, count: requests, slowestMs, report: requestReport })
    const { server: serverBytes, decoder: decoderBytes } = memory.stop()
    const temporaryFiles = await filesIn(join(server.dataDir, 'tmp'))
    return [
      info('seed', seed),
      info('base images', set.length),
      info('uploads sent', `${uploadReport.count}, ${Math.round(uploadReport.count / uploadSeconds)} per second`),
      info('responses to uploads', uploadReport.summary()),
      none('wrong responses to uploads', uploadReport.violations),
      info('requests sent', requestReport.count),
      info('responses to requests', requestReport.summary()),
      none('wrong responses to requests', requestReport.violations),
      ...(form === 'full'
        ? [
            atMost(
              'slowest response',
              Math.max(uploadReport.slowestMs, requestReport.slowestMs) / 1000,
              goals.slowestMs / 1000,
              ' s',
            ),
            atMost(
              'rejected uploads, p99, 8 in parallel',
              percentile(uploadReport.rejectedMs, 0.99),
              goals.rejectedMs,
              ' ms',
            ),
          ]
        : []),
      atMost('peak memory of the server', serverBytes / MB, goals.serverBytes / MB, ' MB'),
      atMost('peak memory of a decoder', decoderBytes / MB, goals.decoderBytes / MB, ' MB'),
      none('temporary files left', temporaryFiles),
    ]
  } finally {
    memory.stop()
    // If the server had exited by itself, the calls above would have thrown.
    await server.stop()
  }
}
