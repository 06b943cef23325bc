// F3: in every operation the k-th call to the database, the files or the store fails, for k = 1, 2, … until none is left.
import { kinds, type Kind, type Mode } from './points/fault-points.ts'
import { operations } from './points/operations.ts'
import { bodyOf } from './client.ts'
import { type TestServer, openTestServer } from './points/test-server.ts'
import { type PreparedOperation, type Operation, type OperationResult, isGood } from './points/operation.ts'
import { type SeedImage, imageSeeder } from './points/seed-images.ts'
import { clear, invariantViolations } from './points/invariants.ts'
import type { Defer } from './resources.ts'
import { atLeast, type Finding, type Form, none, type Scenario, info } from './scenario.ts'
import { malformed } from './failure-response.ts'

/** Every way in which a call can fail; the short form uses one way per call, in rotation. */
const ways: { kind: Kind; mode: Mode }[] = kinds.flatMap((kind) => [
  { kind, mode: 'undone' as const },
  { kind, mode: 'done' as const },
])
/** The short form tests every n-th call, with a different offset per operation. */
const stride = { short: 20, full: 1 } as const
/** A run with fewer faults has lost some operations; the short form needs a share of them. */
const pointsAtLeast = { short: 9, full: 150 } as const
/** More calls than any operation makes: an operation that never completes is a violation itself. */
const mostPoints = 500

export const scenario: Scenario = {
  id: 'F3',
  title: 'a failing call, at every place in turn',
  run,
}

interface Sweep {
  server: TestServer
  seedImage: SeedImage
  form: Form
  points: number
  runs: number
  violations: string[]
}

async function run(form: Form, defer: Defer): Promise<Finding[]> {
  const server = await openTestServer(defer)
  const unheard: string[] = []
  const onUnheard = (error: unknown) => unheard.push(String(error))
  process.on('unhandledRejection', onUnheard).on('uncaughtException', onUnheard)
  defer(() => process.off('unhandledRejection', onUnheard).off('uncaughtException', onUnheard))
  const sweep: Sweep = { server, seedImage: await imageSeeder(server), form, points: 0, runs: 0, violations: [] }
  for (const [n, operation] of operations.entries()) {
    const { points, violations } = sweep
    const [pointsBefore, violationsBefore] = [points, violations.length]
    await failEverywhere(sweep, operation, n)
    const found = [`  ${operation.name}: ${sweep.points - pointsBefore} points`, ...violations.slice(violationsBefore)]
    if (form === 'full') console.log(found.join('\n    '))
  }
  return [
    atLeast('points that failed', sweep.points, pointsAtLeast[form]),
    info('faults', sweep.runs),
    info('operations', operations.length),
    info('kinds of call', server.points.names.size),
    none('wrong replies, losses, leaks, hangs, requests that fail afterwards', sweep.violations),
    none('unhandled errors', unheard),
  ]
}

async function failEverywhere(sweep: Sweep, operation: Operation, n: number): Promise<void> {
  const { form } = sweep
  const step = stride[form]
  for (let at = 1 + (n % step); at < mostPoints; at += step) {
    const wanted = form === 'full' ? ways : [ways[(n + at) % ways.length] as (typeof ways)[number]]
    for (const way of wanted) {
      const hit = await failOnce(sweep, operation, { at, ...way })
      if (!hit) return
      sweep.runs++
    }
    sweep.points++
  }
  sweep.violations.push(`${operation.name}: no end after ${mostPoints} points`)
}

/** @returns whether there was such a call */
async function failOnce(
  { server, seedImage, violations }: Sweep,
  operation: Operation,
  fault: { at: number; kind: Kind; mode: Mode },
): Promise<boolean> {
  const act = await operation.set(server, seedImage)
  server.points.arm(fault)
  const first = await done(act)
  const hit = server.points.disarm()
  if (hit !== undefined) {
    const second = await done(act)
    const found = [
      ...refusalFlaws(first, fault.kind),
      ...((act.allowedRetryStatuses ?? [200]).includes(second.status)
        ? []
        : [`again: ${second.status} ${second.body.toString('utf8')}`]),
      ...((await act.check?.(first, second)) ?? []),
      ...(await invariantViolations(server, hit)),
    ]
    violations.push(
      ...found.map((violation) => `${operation.name}, ${fault.kind} at ${hit} (${fault.mode}): ${violation}`),
    )
  }
  await clear(server)
  return hit !== undefined
}

const done = (act: PreparedOperation): Promise<OperationResult> =>
  act.act().catch((error: unknown) => ({ status: 0, body: Buffer.from(String(error)) }))

const statuses: Record<Kind, readonly number[]> = { EIO: [500], ENOSPC: [507], ETIMEDOUT: [500, 503] }

/** Success in spite of the fault is fine; any other result must be a well-formed failure. */
function refusalFlaws(reply: OperationResult, kind: Kind): string[] {
  if (isGood(reply)) return []
  if (reply.status === 0) return [`no response: ${reply.body.toString('utf8')}`]
  const violation = malformed(reply)
  if (violation !== undefined) return [violation]
  const isOfNoRequest = bodyOf<{ error: string }>(reply).error.startsWith('thrown')
  return isOfNoRequest || statuses[kind].includes(reply.status) ? [] : [`status ${reply.status}`]
}
