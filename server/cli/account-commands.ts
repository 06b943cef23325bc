import { api } from '../../contract/endpoints/api.ts'
import { createAccount } from '../domain/accounts/account-rows.ts'
import { promote, resetPassword, temporaryPassword } from '../domain/accounts/operator-accounts.ts'
import { resetFactors } from '../domain/accounts/factors/remove-factors.ts'
import { assertStrongPassword } from '../domain/accounts/password-policy.ts'
import { unblockContaining } from '../domain/moderation/blocked-networks.ts'
import { resetPin } from '../domain/database-view/database-pin.ts'
import { Failure } from '../domain/shared/failure.ts'
import { normalNetwork } from '../domain/moderation/networks.ts'
import { type Command, namedArguments, UsageError } from '../command.ts'
import { readSecret } from './read-secret.ts'

export const accountCommands = {
  promote: {
    usage: 'promote EMAIL',
    help: 'makes the account with this email an admin',
    async run({ deps, args, print }) {
      const { EMAIL } = namedArguments(args, 'EMAIL')
      print(`${(await promote(deps, EMAIL)).email} is an admin now.`)
    },
  },

  'create-user': {
    usage: 'create-user EMAIL [--admin] [--generate]',
    help: 'creates an account',
    details:
      'The password is prompted for, or read from the first line of standard input. With --generate, or when the\n' +
      'password is empty, a random one is generated and printed once. It ends after 24 hours, unless its user changes it.',
    options: { admin: { type: 'boolean' }, generate: { type: 'boolean' } },
    async run({ deps, args, options, print }) {
      const { EMAIL: email } = namedArguments(args, 'EMAIL')
      const given = options['generate'] === true ? '' : await readSecret('Password (leave empty to generate one): ')
      const { password, ...expiry } = given === '' ? temporaryPassword(deps) : { password: given }
      const wrong = api.register.body.safeParse({ email, password }).error?.issues[0]
      if (wrong) throw new UsageError(`${wrong.path.join('.')}: ${wrong.message}`)
      await assertStrongPassword(deps, { field: 'password', password, email })
      const role = options['admin'] === true ? 'admin' : 'user'
      const account = await createAccount(deps, { email, password, role, ...expiry }, { actor: 'command_line' })
      if (!account) throw new Failure('registration_failed')
      print(`${account.email} has an account now${role === 'admin' ? ' and is an admin' : ''}.`)
      if (given === '') printTemporary(password, print)
    },
  },

  'reset-password': {
    usage: 'reset-password EMAIL',
    help: 'sets a temporary password for an account',
    details:
      'For a user who has lost the password. A random one is generated and printed once. It ends after 24 hours,\n' +
      'unless its user changes it on the account page. The sessions and API keys of the account end now.',
    async run({ deps, args, print }) {
      const { EMAIL } = namedArguments(args, 'EMAIL')
      printTemporary(await resetPassword(deps, EMAIL), print)
    },
  },

  'reset-factors': {
    usage: 'reset-factors EMAIL',
    help: 'removes the second factors of an account',
    details:
      'For a user who has lost the authenticator app, the passkeys and the recovery codes. All of them are removed, and the\n' +
      'sessions of the account end. The password, API keys and connected login providers stay.',
    async run({ deps, args, print }) {
      const { EMAIL } = namedArguments(args, 'EMAIL')
      const removed = await resetFactors(deps, EMAIL)
      print(removed === 0 ? 'The account has no second factor.' : `Removed: ${removed}. A password is enough again.`)
    },
  },

  'reset-pin': {
    usage: 'reset-pin',
    help: 'sets a new PIN for the database view and clears its locks',
    async run({ deps, args, print }) {
      namedArguments(args)
      const pin = await resetPin(deps)
      print(
        pin === null
          ? 'The locks are cleared. The PIN is the value of DB_VIEW_PIN.'
          : `The new PIN, shown only once: ${pin}`,
      )
    },
  },

  unblock: {
    usage: 'unblock ADDRESS',
    help: 'removes the blocks that contain an address or network, for an admin who is locked out',
    async run({ deps, args, print }) {
      const { ADDRESS } = namedArguments(args, 'ADDRESS')
      if (normalNetwork(ADDRESS) === undefined) throw new UsageError(`${ADDRESS} is not an address or a network`)
      const removed = await unblockContaining(deps, ADDRESS)
      print(removed.length === 0 ? `${ADDRESS} is not blocked.` : `Not blocked any more: ${removed.join(', ')}`)
    },
  },
} satisfies Record<string, Command>

function printTemporary(password: string, print: (line: string) => void): void {
  print(`The generated password, shown only once: ${password}`)
  print('It ends after 24 hours. Change it on the account page before.')
}
