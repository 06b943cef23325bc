import { expect, it } from 'vitest'
import { shortAddress } from './short-address.ts'

it.each([
  ['203.0.113.77', '203.0.113.0/24'],
  ['10.0.0.1', '10.0.0.0/24'],
  ['2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['0:0:0:0::/64', '0:0:0::/48'],
  ['unknown', 'unknown'],
])('the address %s is shortened to %s', (address, expected) => {
  expect(shortAddress(address)).toBe(expected)
})
