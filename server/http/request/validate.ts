// Validates what a request brings against its schema in the contract.
import type { z } from 'zod'
import { Failure } from '../../domain/shared/failure.ts'

/** @throws {Failure} invalid_input, naming the first wrong field */
export function validate(schema: z.ZodType | undefined, given: unknown): unknown {
  if (!schema) return undefined
  const result = schema.safeParse(given, { error: problemOf })
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

/** For issues whose schema has no text of its own: what the field must be, in the words of those that have. */
function problemOf(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : `must be ${kinds[issue.expected] ?? issue.expected}`
    case 'invalid_value':
      if (issue.input === undefined) return 'is required'
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.join(', ')}`
    case 'too_small':
      return `must ${bound('at least', issue.minimum, issue.origin)}`
    case 'too_big':
      return `must ${bound('at most', issue.maximum, issue.origin)}`
    case 'invalid_format':
      return formats[issue.format]
    default:
      return 'is not valid'
  }
}

const kinds: Partial<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

const formats: Partial<Record<string, string>> = {
  datetime: 'must be a time such as 2027-01-31T12:00:00Z',
  email: 'must be an email address',
}

function bound(word: 'at least' | 'at most', count: number | bigint, origin: string): string {
  if (origin !== 'string' && origin !== 'array') return `be ${word} ${count}`
  return `have ${word} ${count} ${origin === 'string' ? 'character' : 'item'}${Number(count) === 1 ? '' : 's'}`
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
