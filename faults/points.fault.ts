// F3: the k-th call to the database, the files or the store fails, for k = 1, 2, … until none is left, in everything that is done.
import { kinds, type Kind, type Mode } from './points/points.ts'
import { deeds } from './points/deeds.ts'
import { bodyOf, type House, openHouse } from './points/house.ts'
import { type Act, type Deed, type Done, isGood } from './points/deed.ts'
import { type Plant, planter } from './points/plant.ts'
import { clear, flawsIn } from './points/standing.ts'
import { atLeast, type Finding, type Form, none, type Protocol, told } from './protocol.ts'
import { malformed } from './replies.ts'

/** Every way in which a call can fail; in short one way for each call, another one for the next. */
const ways: { kind: Kind; mode: Mode }[] = kinds.flatMap((kind) => [
  { kind, mode: 'undone' as const },
  { kind, mode: 'done' as const },
])
/** In short every so manieth call, beginning with another one in each deed. */
const stride = { short: 12, full: 1 } as const
/** A run that reaches fewer has lost some of its deeds; in short a share of them. */
const pointsAtLeast = { short: 15, full: 150 } as const
/** More than any deed has: a deed that never ends without a fault is a flaw of its own. */
const mostPoints = 500

export const protocol: Protocol = {
  id: 'F3',
  title: 'a failing call, at every place in turn',
  run,
}

interface Sweep {
  house: House
  plant: Plant
  form: Form
  points: number
  runs: number
  flaws: string[]
}

async function run(form: Form): Promise<Finding[]> {
  const house = await openHouse()
  const unheard: string[] = []
  const onUnheard = (error: unknown) => unheard.push(String(error))
  process.on('unhandledRejection', onUnheard).on('uncaughtException', onUnheard)
  try {
    const sweep: Sweep = { house, plant: await planter(house), form, points: 0, runs: 0, flaws: [] }
    for (const [n, deed] of deeds.entries()) {
      const { points, flaws } = sweep
      const [pointsBefore, flawsBefore] = [points, flaws.length]
      await failEverywhere(sweep, deed, n)
      if (form === 'full')
        console.log(
          [`  ${deed.name}: ${sweep.points - pointsBefore} points`, ...flaws.slice(flawsBefore)].join('\n    '),
        )
    }
    return [
      atLeast('points that failed', sweep.points, pointsAtLeast[form]),
      told('faults', sweep.runs),
      told('deeds', deeds.length),
      told('kinds of call', house.points.names.size),
      none('wrong replies, losses, leaks, hangs, requests that fail afterwards', sweep.flaws),
      none('errors that nobody heard', unheard),
    ]
  } finally {
    process.off('unhandledRejection', onUnheard).off('uncaughtException', onUnheard)
    await house.close()
  }
}

async function failEverywhere(sweep: Sweep, deed: Deed, n: number): Promise<void> {
  const { form } = sweep
  const step = stride[form]
  for (let at = 1 + (n % step); at < mostPoints; at += step) {
    const wanted = form === 'full' ? ways : [ways[(n + at) % ways.length] as (typeof ways)[number]]
    for (const way of wanted) {
      const hit = await failOnce(sweep, deed, { at, ...way })
      if (!hit) return
      sweep.runs++
    }
    sweep.points++
  }
  sweep.flaws.push(`${deed.name}: no end after ${mostPoints} points`)
}

/** @returns whether there was such a call */
async function failOnce(
  { house, plant, flaws }: Sweep,
  deed: Deed,
  fault: { at: number; kind: Kind; mode: Mode },
): Promise<boolean> {
  const act = await deed.set(house, plant)
  house.points.arm(fault)
  const first = await done(act)
  const hit = house.points.disarm()
  if (hit !== undefined) {
    const second = await done(act)
    const found = [
      ...refusalFlaws(first, fault.kind),
      ...(act.again.includes(second.status) ? [] : [`again: ${second.status} ${second.body.toString('utf8')}`]),
      ...((await act.check?.(first, second)) ?? []),
      ...(await flawsIn(house, hit)),
    ]
    flaws.push(...found.map((flaw) => `${deed.name}, ${fault.kind} at ${hit} (${fault.mode}): ${flaw}`))
  }
  await clear(house)
  return hit !== undefined
}

const done = (act: Act): Promise<Done> =>
  act.act().catch((error: unknown) => ({ status: 0, body: Buffer.from(String(error)) }))

const statuses: Record<Kind, readonly number[]> = { EIO: [500], ENOSPC: [507], ETIMEDOUT: [500, 503] }

/** That it went well in spite of the fault is fine; whatever else must say what it is. */
function refusalFlaws(reply: Done, kind: Kind): string[] {
  if (isGood(reply)) return []
  if (reply.status === 0) return [`no answer: ${reply.body.toString('utf8')}`]
  const flaw = malformed(reply)
  if (flaw !== undefined) return [flaw]
  const isOfNoRequest = bodyOf<{ error: string }>(reply).error.startsWith('thrown')
  return isOfNoRequest || statuses[kind].includes(reply.status) ? [] : [`answered ${reply.status}`]
}
