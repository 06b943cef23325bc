import { expect, test } from 'vitest'
import type { Image } from '../../../contract/endpoints/images.ts'
import { mergeRows, type ExpiringImage } from './expiring-rows.ts'

const image = (id: string, day: number) => ({ id, expires_at: `2026-11-${day}T12:00:00.000Z` }) as Image
const [one, two, three] = [image('one', 22), image('two', 23), image('three', 24)]
const shown = (rows: ExpiringImage[]) => rows.map(({ image, phase }) => `${image.id} ${phase}`)

test('rows are sorted by date, the next to expire first', () => {
  expect(shown(mergeRows([three, one, two], new Map()))).toEqual(['one idle', 'two idle', 'three idle'])
})

test('an extended image stays in its position after it has left the list', () => {
  const held = new Map<string, ExpiringImage>([
    ['two', { image: two, phase: 'done', extendedTo: '2027-11-21T12:00:00.000Z' }],
  ])
  expect(shown(mergeRows([one, three], held))).toEqual(['one idle', 'two done', 'three idle'])
})

test('of images that expire together, one that is being extended keeps its position', () => {
  const [first, second, third] = [image('a', 22), image('b', 22), image('c', 22)]
  const held = new Map<string, ExpiringImage>([['b', { image: second, phase: 'busy' }]])
  expect(shown(mergeRows([first, second, third], new Map()))).toEqual(['a idle', 'b idle', 'c idle'])
  expect(shown(mergeRows([first, second, third], held))).toEqual(['a idle', 'b busy', 'c idle'])
})

test('an image that is being extended has one row', () => {
  const held = new Map<string, ExpiringImage>([['one', { image: one, phase: 'busy' }]])
  expect(shown(mergeRows([one, two], held))).toEqual(['one busy', 'two idle'])
})
