// Spellings of addresses and networks, compared with the block list of Node.
import { BlockList, isIPv4 } from 'node:net'
import { describe, expect, it } from 'vitest'
import { networksContaining, normalAddress, normalNetwork } from './networks.ts'

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::FFFF:cb00:7107', '203.0.113.7'],
  ['64:ff9b::203.0.113.7', '203.0.113.7'],
  ['64:ff9b:1::203.0.113.7', '64:ff9b:1::cb00:7107'],
  ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
  ['fe80::1%eth0', 'fe80::1'],
  ['::', '::'],
  ['::1.2.3.4', '::102:304'],
  ['example.com', undefined],
  ['1.2.3', undefined],
  ['01.2.3.4', undefined],
  ['', undefined],
])('the address %j is %j', (written, expected) => {
  expect(normalAddress(written)).toBe(expected)
})

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['203.0.113.7/32', '203.0.113.7'],
  [' 203.0.113.7/24 ', '203.0.113.0/24'],
  ['203.0.113.7/0', '0.0.0.0/0'],
  ['255.255.255.255/1', '128.0.0.0/1'],
  ['::ffff:203.0.113.7/120', '203.0.113.0/24'],
  ['::ffff:203.0.113.7/96', '0.0.0.0/0'],
  ['64:ff9b::203.0.113.0/120', '203.0.113.0/24'],
  ['2001:db8:1:2:3:4:5:6/64', '2001:db8:1:2::/64'],
  ['2001:db8::ff/121', '2001:db8::80/121'],
  ['2001:DB8::/128', '2001:db8::'],
  ['::/0', '::/0'],
  ['203.0.113.7/33', undefined],
  ['2001:db8::/129', undefined],
  ['::ffff:203.0.113.7/95', undefined],
  ['203.0.113.7/', undefined],
  ['203.0.113.7/+8', undefined],
  ['203.0.113.7/8/8', undefined],
  ['203.0.113.0-203.0.113.9', undefined],
  ['all', undefined],
])('the network %j is %j', (written, expected) => {
  expect(normalNetwork(written)).toBe(expected)
})

describe('networksContaining', () => {
  it('returns every network of an address, from the widest to itself', () => {
    const found = networksContaining('203.0.113.7')
    expect(found).toHaveLength(33)
    expect([found[0], found[8], found[24], found[32]]).toEqual([
      '0.0.0.0/0',
      '203.0.0.0/8',
      '203.0.113.0/24',
      '203.0.113.7',
    ])
    expect(networksContaining('2001:db8::1')).toHaveLength(129)
    expect(networksContaining('2001:db8::/32')).toHaveLength(33)
    expect(networksContaining('nothing')).toEqual([])
  })

  it('agrees with the block list of Node', () => {
    const addresses = ['203.0.113.7', '203.0.112.255', '8.8.8.8', '::1', '2001:db8::1', '2001:db8:0:1::', 'ffff::']
    const networks = addresses.flatMap((address) =>
      (isIPv4(address) ? [0, 1, 8, 23, 31, 32] : [0, 1, 32, 63, 127, 128]).map((prefix) => [address, prefix] as const),
    )
    for (const [base, prefix] of networks) {
      const family = isIPv4(base) ? 'ipv4' : 'ipv6'
      const list = new BlockList()
      list.addSubnet(base, prefix, family)
      for (const address of addresses.filter((one) => isIPv4(one) === isIPv4(base))) {
        const isInside = networksContaining(address).includes(normalNetwork(`${base}/${prefix}`) ?? '')
        expect(isInside, `${address} in ${base}/${prefix}`).toBe(list.check(address, family))
      }
    }
  })
})
