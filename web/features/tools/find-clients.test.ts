import { expect, test } from 'vitest'
import { clientIds } from '../../../contract/client-setups/clients.ts'
import { matchingClients, usualClient } from './find-clients.ts'

test.each([
  ['', clientIds],
  ['sharex', ['sharex', 'other']],
  ['  Linux  script ', ['flameshot', 'spectacle', 'other']],
  ['imgur', ['ksnip', 'other']],
  ['nothing has this', ['other']],
])('the search %j finds %j', (search, found) => {
  expect(matchingClients(search)).toEqual(found)
})

test.each([
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0', 'sharex'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Safari/605.1.15', 'upic'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile', 'ios'],
  ['Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Mobile', 'android'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0', 'flameshot'],
])('the browser %s gets the set-up of %s first', (userAgent, id) => {
  expect(usualClient(userAgent)).toBe(id)
})
