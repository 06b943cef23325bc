import { expect, it } from 'vitest'
import { decoderCount, heavyJobs } from './capacity.ts'

const GB = 1e9

it.each([
  ['a small virtual machine', { cores: 1, memoryBytes: 0.5 * GB }, 1],
  ['two cores within the memory that the documents promise for them', { cores: 2, memoryBytes: 768e6 }, 2],
  ['two cores with half of it', { cores: 2, memoryBytes: 0.5 * GB }, 1],
  ['a core with little memory, which cannot be fewer than one', { cores: 4, memoryBytes: 0.2 * GB }, 1],
  ['sixteen cores in a container of 4 GB', { cores: 16, memoryBytes: 4 * GB }, 10],
  ['sixteen cores', { cores: 16, memoryBytes: 64 * GB }, 16],
])('%s: as many decoders as cores and memory allow', (_, machine, expected) => {
  expect(decoderCount(0, machine)).toBe(expected)
})

it('the operator chooses any number, whatever the machine', () => {
  expect(decoderCount(8, { cores: 2, memoryBytes: 1e9 })).toBe(8)
})

it('this machine has at least one', () => {
  expect(decoderCount(0)).toBeGreaterThanOrEqual(1)
})

it.each([
  [1, 1],
  [2, 1],
  [3, 1],
  [4, 2],
  [16, 8],
])('beside %i decoders %i jobs may need much memory at the same time', (decoders, expected) => {
  expect(heavyJobs(decoders)).toBe(expected)
})
