import { expect, it } from 'vitest'
import { PerceptualHashList } from './perceptual-hashes.ts'

const hashOf = (value: bigint) => value.toString(16).padStart(16, '0')
const differingBits = (one: string, other: string) =>
  (BigInt(`0x${one}`) ^ BigInt(`0x${other}`)).toString(2).replaceAll('0', '').length

/** The same hashes in each run. */
function hashes(count: number): string[] {
  let state = 1n
  return Array.from({ length: count }, () => {
    state = BigInt.asUintN(64, state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n)
    return hashOf(state ^ (state >> 29n))
  })
}

it('finds the hashes within a distance of any of the given ones, the nearest first', async () => {
  const list = new PerceptualHashList()
  for (const phash of ['ffffffffffffffff', '0000000000000000', '8000000000000001', '000000000000003f']) list.add(phash)
  expect(await list.near(['0000000000000000'], 6)).toEqual([
    { phash: '0000000000000000', distance: 0 },
    { phash: '8000000000000001', distance: 2 },
    { phash: '000000000000003f', distance: 6 },
  ])
  expect(await list.near(['fffffffffffffffe', '000000000000007f'], 1)).toEqual([
    { phash: 'ffffffffffffffff', distance: 1 },
    { phash: '000000000000003f', distance: 1 },
  ])
  expect(await list.near(['00000000ffffffff'], 6)).toEqual([])
  expect(await new PerceptualHashList().near(['0000000000000000'], 64)).toEqual([])
})

it('compares every bit of every hash, also beyond the number that is compared at once', async () => {
  const all = hashes(120_000)
  const list = new PerceptualHashList()
  for (const phash of all) list.add(phash)
  expect(list.size).toBe(all.length)
  for (const at of [0, 1, 49_999, 50_000, 100_001, all.length - 1]) {
    const wanted = hashOf(BigInt(`0x${all[at] ?? ''}`) ^ 0x8000_0001_0000_0001n)
    const expected = all.filter((phash) => differingBits(phash, wanted) <= 4)
    expect((await list.near([wanted], 4)).map(({ phash }) => phash).toSorted()).toEqual(expected.toSorted())
    expect(expected).toContain(all[at])
  }
})
