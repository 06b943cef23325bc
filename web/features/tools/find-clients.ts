// Which clients the page lists, and which one it shows first.
import { type ClientId, clientIds, clients } from '../../../contract/client-setups/clients.ts'
import { clientTexts } from '../../texts/tools-messages.ts'
import { paths } from '../../paths.ts'

export const groups = [...new Set(clientIds.map((id) => clients[id].group))]

export const clientAddress = (id: ClientId) => `${paths.tools}?client=${id}`

/** Every word of the search is in the name, the platforms or the description. 'Another app' matches always, as the last resort. */
export function matchingClients(search: string): readonly ClientId[] {
  const words = search.toLowerCase().split(/\s+/)
  return clientIds.filter((id) => {
    const { name, platforms } = clients[id]
    const text = [name, ...platforms, clientTexts[id].text].join(' ').toLowerCase()
    return id === 'other' || words.every((word) => text.includes(word))
  })
}

/** Android shares to the installed site, with the login of its browser. */
export const usesKey = (id: ClientId) => id !== 'android'

/** Whether the client can upload without a key. */
export const canBeGuest = (id: ClientId, guestUploads: boolean) => guestUploads && !('needsKey' in clients[id])

/** The client that suits the reader's system. */
export function usualClient(userAgent: string): ClientId {
  const usual: [RegExp, ClientId][] = [
    [/Android/, 'android'],
    [/iPhone|iPad/, 'ios'],
    [/Windows/, 'sharex'],
    [/Mac OS/, 'upic'],
  ]
  return usual.find(([system]) => system.test(userAgent))?.[1] ?? 'flameshot'
}
