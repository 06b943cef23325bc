import { describe, expect, it } from 'vitest'
import { tagRows } from './tag-rows.ts'

const tag = (name: string) => ({ name, images: 1, colour: null })
const shown = (names: string[], isWhole = true) =>
  tagRows(names.map(tag), isWhole).map(({ name, depth, images }) => `${depth} ${name} ${images}`)

describe('the rows of tags', () => {
  it('has a row for a tag that no image has, above those below it', () => {
    expect(shown(['cat', 'travel/italy/rome', 'travel/spain'])).toEqual([
      '0 cat 1',
      '0 travel 0',
      '1 travel/italy 0',
      '2 travel/italy/rome 1',
      '1 travel/spain 1',
    ])
  })
  it('has none twice', () => {
    expect(shown(['travel', 'travel/italy'])).toEqual(['0 travel 1', '1 travel/italy 1'])
  })
  it('is flat in what a search has found', () => {
    expect(shown(['travel/italy'], false)).toEqual(['0 travel/italy 1'])
  })
})
