// What the page says about a new password while it is typed. The server decides: it also has the list
// of common passwords.
import { account } from '../../texts/account-messages.ts'

const texts = account.passwordHint
/** NIST SP 800-63B requires 8 of passwords. */
const recommendedLength = 8

/**
 * @param min characters, by PASSWORD_MIN
 * @param names of the account and the site
 */
export function passwordHint(password: string, { min, names }: { min: number; names: readonly string[] }): string {
  const { length } = password
  if (length === 0) return texts.empty(min)
  if (length < min) return texts.missing(min - length)
  const plain = reduce(password)
  if (names.flatMap((name) => [name, ...name.split('@')]).some((name) => name !== '' && reduce(name) === plain))
    return texts.name
  if (isSequence(password)) return texts.plain
  return length < recommendedLength ? texts.short(recommendedLength) : texts.good
}

const reduce = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** Whether each character is the same as the one before it, or each the next, such as aaaaaa and 345678. */
function isSequence(text: string): boolean {
  const codes = Array.from(text, (character) => character.codePointAt(0) ?? 0)
  const steps = new Set(codes.slice(1).map((code, at) => code - (codes[at] ?? 0)))
  return steps.size === 1 && [-1, 0, 1].includes([...steps][0] ?? 2)
}
