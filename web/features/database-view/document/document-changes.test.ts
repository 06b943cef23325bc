import { describe, expect, it } from 'vitest'
import type { Document } from '../../../../contract/endpoints/database-view.ts'
import {
  changedFields,
  changesOf,
  type Edit,
  fieldNames,
  isSameVersion,
  preserveLineBreaks,
  kindOf,
  withEdit,
} from './document-changes.ts'

const common = { _id: 'a', createdAt: '2026-01-01T00:00:00.000Z', __v: 1 }
const base: Document = { ...common, name: 'Ann', count: 3, done: false, priority: 'low', tags: ['x'] }
const edited = (edits: Record<string, Edit>) => new Map(Object.entries(edits))

describe('the changes of a document', () => {
  it('are the fields that differ from the stored document, in their types', () => {
    const edits = edited({
      name: { kind: 'text', raw: 'Bob' },
      count: { kind: 'number', raw: '4.5' },
      done: { kind: 'switch', raw: true },
      priority: { kind: 'priority', raw: 'low' },
    })
    const { changed, problems } = changesOf(base, edits)
    expect(Object.fromEntries(changed)).toEqual({ name: 'Bob', count: 4.5, done: true })
    expect(problems.size).toBe(0)
  })

  it('ignore the same number in another notation, and report invalid numbers', () => {
    expect(changesOf(base, edited({ count: { kind: 'number', raw: '3.0' } })).changed.size).toBe(0)
    const { changed, problems } = changesOf(base, edited({ count: { kind: 'number', raw: '3,5' } }))
    expect([changed.size, problems.get('count')]).toEqual([0, 'notNumber'])
  })

  it('are empty when the stored value is restored', () => {
    const once = withEdit(base, new Map(), 'name', { kind: 'text', raw: 'Bo' })
    expect(once.size).toBe(1)
    expect(withEdit(base, once, 'name', { kind: 'text', raw: 'Ann' }).size).toBe(0)
    expect(withEdit(base, new Map(), 'count', { kind: 'number', raw: '3.0' }).size).toBe(1)
  })

  it('accept unusual field names', () => {
    const odd = JSON.parse('{"_id":"a","createdAt":"x","__proto__":"p","":"e"}') as Document
    const edits = withEdit(odd, new Map(), '__proto__', { kind: 'text', raw: 'q' })
    const { changed } = changesOf(odd, edits)
    expect(JSON.stringify(Object.fromEntries(changed))).toBe('{"__proto__":"q"}')
    expect(changesOf({ ...common }, new Map([['toString', { kind: 'text', raw: 'x' } as const]])).changed.size).toBe(1)
  })
})

it('preserve the line breaks of the stored text', () => {
  expect(preserveLineBreaks('a\r\nb', 'a\nc\n')).toBe('a\r\nc\r\n')
  expect(preserveLineBreaks('a\nb', 'a\nc')).toBe('a\nc')
})

describe('another version', () => {
  const newer: Document = { ...base, __v: 2, count: 4, tags: ['x', 'y'], more: 1 }

  it('is detected by __v, or by its values without __v', () => {
    expect(isSameVersion(base, { ...base })).toBe(true)
    expect(isSameVersion(base, newer)).toBe(false)
    const { __v: _, ...unnumbered } = base
    expect(isSameVersion(unnumbered, { ...unnumbered, tags: ['x'] })).toBe(true)
    expect(isSameVersion(unnumbered, { ...unnumbered, name: 'Eve' })).toBe(false)
  })

  it('lists the fields that differ', () => expect(changedFields(base, newer)).toEqual(['count', 'tags', 'more']))

  it('keeps the edits, also of fields that it removed or changed', () => {
    const other: Document = { ...common, name: { first: 'Ann' }, done: null }
    const edits = edited({ name: { kind: 'text', raw: 'Bob' }, count: { kind: 'number', raw: '9' } })
    expect(fieldNames(other, edits)).toEqual(['_id', 'createdAt', '__v', 'name', 'done', 'count'])
    expect(['name', 'done', 'count'].map((name) => kindOf(other, edits, name))).toEqual(['text', 'null', 'number'])
    expect(Object.fromEntries(changesOf(other, edits).changed)).toEqual({ name: 'Bob', count: 9 })
  })
})
