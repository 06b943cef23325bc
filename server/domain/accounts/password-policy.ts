// Which new passwords are refused: short ones, common ones, names of the site and of the account.
import { readFile } from 'node:fs/promises'
import { installed } from '../../installation.ts'
import type { Deps } from '../shared/deps.ts'
import { Failure } from '../shared/failure.ts'

interface NewPassword {
  /** The field of the request. */
  field: string
  password: string
  /** Of the account. */
  email: string
  name?: string | undefined
}

/** Beside the names of the site and of the account. */
const words = ['Image Host', 'admin', 'administrator', 'root', 'guest', 'user', 'database', 'upload']

/**
 * PASSWORD_MIN may exceed the 6 characters of the contract.
 * @throws {Failure} invalid_input: too short; weak_password
 */
export async function assertStrongPassword({ config }: Pick<Deps, 'config'>, given: NewPassword): Promise<void> {
  const { PASSWORD_MIN: min } = config
  const { field, password } = given
  if (password.length < min)
    throw new Failure('invalid_input', { field, problem: `Password must be at least ${min} characters long` })
  if ((await readCommonPasswords()).has(password.toLowerCase()))
    throw new Failure('weak_password', { problem: 'it is one of the most common ones' })
  if (isContextWord(password, contextWords(config, given)))
    throw new Failure('weak_password', { problem: 'it is a name of the site or of the account' })
}

function contextWords({ SITE_NAME, PUBLIC_URL }: Deps['config'], { email, name = '' }: NewPassword): string[] {
  const host = PUBLIC_URL === undefined ? '' : new URL(PUBLIC_URL).hostname
  const names = [...words, SITE_NAME, host, name, email, ...email.split('@')]
  return names.flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)])
}

/** Whether the password is one of the words, spelled with other case, spaces and punctuation, or between digits. */
function isContextWord(password: string, names: string[]): boolean {
  return [lettersAndDigits, withoutOuterDigits].some((reduce) => {
    const reduced = reduce(password)
    return reduced !== '' && names.some((name) => reduce(name) === reduced)
  })
}

const lettersAndDigits = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
const withoutOuterDigits = (text: string) => lettersAndDigits(text).replace(/^\p{N}+|\p{N}+$/gu, '')

let commonPasswords: Promise<ReadonlySet<string>> | undefined

/** 42,692 passwords in lower case. The comment lines of the file equal no password in lower case. */
function readCommonPasswords(): Promise<ReadonlySet<string>> {
  commonPasswords ??= readFile(installed('dist/common-passwords.txt'), 'utf8').then((text) => new Set(text.split('\n')))
  return commonPasswords
}
