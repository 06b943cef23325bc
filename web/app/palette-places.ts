// The places within pages that the command palette leads to, with other words for them.
import { KeyRound, Settings2, ShieldCheck, Wrench } from 'lucide-react'
import { clients } from '../../contract/client-setups/clients.ts'
import type { Command } from '../features/palette/rank-commands.ts'
import { paths } from '../paths.ts'
import { ownAccount } from '../texts/account-messages.ts'
import { admin } from '../texts/admin/admin-messages.ts'
import { apiKeys } from '../texts/api-keys-messages.ts'
import { titles } from '../texts/messages.ts'
import { security } from '../texts/security-messages.ts'
import { goToPlace } from './go-to-place.ts'
import { synonyms } from './synonyms.ts'

/** @param go navigates within the site */
type Go = (to: string) => void

type PlaceRow = readonly [text: string, synonyms: string]

/** Written on the account page: headings, rows and buttons. */
const accountRows: readonly PlaceRow[] = [
  [ownAccount.profile.title, synonyms.name],
  [ownAccount.email.title, synonyms.email],
  [ownAccount.password.title, synonyms.password],
  [security.title, synonyms.security],
  [security.app.title, synonyms.authenticator],
  [security.passkeys.title, synonyms.passkeys],
  [ownAccount.mail.title, synonyms.mail],
  [ownAccount.share.title, synonyms.share],
  [ownAccount.look.title, synonyms.browser],
  [ownAccount.sessions.title, synonyms.sessions],
  [ownAccount.sessions.end, synonyms.logOutEverywhere],
  [ownAccount.data.title, synonyms.data],
  [ownAccount.data.download, synonyms.download],
  [ownAccount.data.delete, synonyms.delete],
]

export function userPlaces(go: Go): Command[] {
  const row =
    (path: string, page: string, Icon: Command['Icon']) =>
    ([text, words]: PlaceRow): Command => ({
      id: `${path} ${text}`,
      group: 'settings',
      label: text,
      place: page,
      synonyms: words,
      Icon,
      isFound: true,
      run() {
        go(path)
        goToPlace(page, text)
      },
    })
  return [
    ...accountRows.map(row(paths.account, titles.account, Settings2)),
    row(paths.apiKeys, titles.apiKeys, KeyRound)([apiKeys.list, synonyms.keyList]),
  ]
}

export const adminPlaces = (go: Go): Command[] =>
  (Object.keys(admin.tabs) as (keyof typeof admin.tabs)[]).map((tab) => ({
    id: `admin ${tab}`,
    group: 'settings',
    label: admin.tabs[tab],
    place: admin.title,
    synonyms: synonyms[tab],
    Icon: ShieldCheck,
    isFound: true,
    run: () => go(`${paths.admin}?tab=${tab}`),
  }))

export const clientPlaces = (go: Go): Command[] =>
  Object.entries(clients).map(([id, { name, platforms }]) => ({
    id: `client ${id}`,
    group: 'settings',
    label: name,
    place: titles.tools,
    synonyms: `${platforms.join(' ')} ${synonyms.client}`,
    Icon: Wrench,
    isFound: true,
    run: () => go(`${paths.tools}?client=${id}`),
  }))
