// The cases that failed once, sent again.
import { readdir, readFile } from 'node:fs/promises'
import { type Regression, regressions } from './report.ts'
import { flawOfRequest, type Target } from './send-request.ts'
import { flawOfUpload } from './upload-run.ts'

/** @returns the names of all that are kept, without their endings */
export async function storedCases(): Promise<string[]> {
  const files = await readdir(regressions)
  return files.filter((file) => file.endsWith('.json')).map((file) => file.slice(0, -5))
}

/** @returns what is wrong with the answer today, or undefined */
export async function replay(name: string, target: Target): Promise<string | undefined> {
  const kept = JSON.parse(await readFile(`${regressions}${name}.json`, 'utf8')) as Regression
  if (kept.kind === 'request') return flawOfRequest(target, kept.request)
  const body = await readFile(`${regressions}${name}.bin`)
  return flawOfUpload({ ...target, token: target.fixtures.userToken }, { as: kept.as, body })
}
