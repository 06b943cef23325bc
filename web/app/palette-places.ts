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

/** Parts that wait for data of the server. */
const withinMs = 10_000
const lightMs = 2000

let stop = () => {}

/**
 * Scrolls to a heading, a button or the name of a row by its text, and focuses it, as soon as the page of this title shows it.
 */
function goToPlace(title: string, text: string): void {
  stop()
  const look = () => {
    // The previous page is shown until the script of the next one is there.
    const found = document.querySelector('main h1')?.textContent === title ? placeOf(text) : undefined
    if (found === undefined) return
    stop()
    // After the focus that every new page takes.
    requestAnimationFrame(() => requestAnimationFrame(() => show(found)))
  }
  const observer = new MutationObserver(look)
  const timer = setTimeout(() => stop(), withinMs)
  stop = () => {
    observer.disconnect()
    clearTimeout(timer)
  }
  observer.observe(document.body, { childList: true, subtree: true })
  look()
}

function placeOf(text: string): HTMLElement | undefined {
  const written = [...document.querySelectorAll<HTMLElement>('main :is(h2, h3, p, span, button, dt, label)')]
  const found = written.find((element) => element.textContent?.trim() === text && element.checkVisibility())
  return found?.closest<HTMLElement>('button') ?? found
}

function show(place: HTMLElement): void {
  if (!place.matches('button')) place.tabIndex = -1
  place.focus({ preventScroll: true })
  place.scrollIntoView({ block: 'center', behavior: 'instant' })
  // Headings show no focus.
  const shade = (color: string) => ({
    backgroundColor: color,
    boxShadow: `0 0 0 0.375rem ${color}`,
    borderRadius: '1px',
  })
  const lit = shade('var(--color-accent-soft)')
  place.animate([lit, { ...lit, offset: 0.7 }, shade('transparent')], lightMs)
}
