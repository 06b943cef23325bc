// The status codes of this API, with their texts.
import type { EndpointDoc } from '../../../../contract/derive/endpoint-doc.ts'
import { statusWords } from '../../../texts/docs-messages.ts'

/** Statuses that any endpoint can respond with (docs/reference.md). */
const always = [200, 201, 400, 401, 403, 404, 500]

export function statusesOf(catalogue: readonly EndpointDoc[]): number[] {
  const documented = catalogue.flatMap(({ status, failures }) => [status, ...failures.map((one) => one.status)])
  return [...new Set([...always, ...documented])].toSorted((a, b) => a - b)
}

export const statusName = (status: number) => statusWords[status]?.[0] ?? ''
export const statusMeaning = (status: number) => statusWords[status]?.[1] ?? ''

/** The class of a status, for its colour. */
export function kindOf(status: number): 'good' | 'refused' | 'broken' {
  if (status < 400) return 'good'
  return status < 500 ? 'refused' : 'broken'
}
