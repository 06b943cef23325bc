// Validates what a request brings against its schema in the contract.
import type { z } from 'zod'
import { Failure } from '../../domain/shared/failure.ts'

/** @throws {Failure} invalid_input, naming the first wrong field */
export function validate(schema: z.ZodType | undefined, given: unknown): unknown {
  if (!schema) return undefined
  const result = schema.safeParse(given)
  // Afterwards: the schema bounds what there is to search.
  if (result.success && containsNul(given))
    throw new Failure('invalid_input', { field: 'a text', problem: 'must not hold the character NUL' })
  if (result.success) return result.data
  const issue = result.error.issues[0]
  const names = issue?.code === 'unrecognized_keys' ? issue.keys.join(', ') : (issue?.path.join('.') ?? '')
  throw new Failure('invalid_input', {
    field: names === '' ? 'body' : names,
    problem:
      issue?.code === 'unrecognized_keys' ? 'is not a field of this request' : (issue?.message ?? 'is not valid'),
  })
}

/** PostgreSQL cannot store NUL in a text. */
function containsNul(given: unknown): boolean {
  // A loop instead of recursion: a body of 1 MB can be half a million levels deep.
  const pending = [given]
  while (pending.length > 0) {
    const value = pending.pop()
    if (typeof value === 'string' && value.includes('\0')) return true
    if (typeof value !== 'object' || value === null) continue
    for (const [key, nested] of Object.entries(value)) {
      if (key.includes('\0')) return true
      pending.push(nested)
    }
  }
  return false
}
