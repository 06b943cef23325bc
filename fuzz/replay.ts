// Replays the stored regressions.
import { readdir, readFile } from 'node:fs/promises'
import { type Regression, regressions } from './report.ts'
import { violationOfRequest, type Target } from './send-request.ts'
import { violationOfUpload } from './upload-run.ts'

/** @returns the names of all stored regressions, without extension */
export async function storedRegressions(): Promise<string[]> {
  const files = await readdir(regressions)
  return files.filter((file) => file.endsWith('.json')).map((file) => file.slice(0, -5))
}

/** @returns the violation of the response, or undefined */
export async function replay(name: string, target: Target): Promise<string | undefined> {
  const regression = JSON.parse(await readFile(`${regressions}${name}.json`, 'utf8')) as Regression
  if (regression.kind === 'request') return violationOfRequest(target, regression.request)
  const body = await readFile(`${regressions}${name}.bin`)
  return violationOfUpload({ ...target, token: target.fixtures.userToken }, { as: regression.as, body })
}
