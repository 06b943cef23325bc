import { expect, test } from 'vitest'
import type { ModeratedImage } from '../../../../contract/endpoints/moderation.ts'
import { mergePages } from '../../../model/row-list.ts'
import { type Decision, isAvailable, withDecision } from './admin-images.ts'

const image = (id: string, sha256 = id, quarantined_at: string | null = null) =>
  ({ id, sha256, quarantined_at, owner: null }) as unknown as ModeratedImage
const [a, b, copyOfA, hidden] = [image('a'), image('b'), image('c', 'a'), image('d', 'd', 'before')]
const list = {
  pages: [
    { items: [a, b], total: 9, next: 'x' },
    { items: [copyOfA, hidden], total: 9, next: 'y' },
  ],
  pageParams: [undefined, 'x'],
}

test.each<[Decision, ModeratedImage[], expected: string[], total: number]>([
  ['quarantine', [a, hidden], ['a now', 'b', 'c', 'd before'], 9],
  ['restore', [a, hidden], ['a', 'b', 'c', 'd'], 9],
  ['remove', [a, hidden], ['b', 'c'], 7],
  ['block', [a], ['b', 'c now', 'd before'], 8],
  ['remove', [image('elsewhere')], ['a', 'b', 'c', 'd before'], 9],
])('%s changes the loaded lists as the server changes the images', (decision, chosen, expected, total) => {
  const after = withDecision(list, decision, chosen, 'now')
  const merged = mergePages(after)
  expect(merged.rows.map(({ id, quarantined_at }) => [id, quarantined_at].join(' ').trim())).toEqual(expected)
  expect(merged.total).toBe(total)
  expect(after.pages.map(({ next }) => next)).toEqual(['x', 'y'])
})

test.each([
  ['a guest’s image', a, true],
  ['a quarantined image', hidden, false],
  ['an image of an active user', { ...a, owner: { id: 'u', email: '', status: 'Active' as const } }, true],
  ['an image of an inactive user', { ...a, owner: { id: 'u', email: '', status: 'Inactive' as const } }, false],
])('%s has its availability', (_, one, expected) => {
  expect(isAvailable(one)).toBe(expected)
})
