import { describe, expect, it } from 'vitest'
import { TimeHad } from './decaying-usage.ts'
import { Turns } from './fair-queue.ts'

const takeAll = (turns: Turns<string>) => Array.from({ length: turns.size }, () => turns.take())

describe('turns', () => {
  it('are in order of arrival as long as nobody has had anything', () => {
    const turns = new Turns<string>(9, new TimeHad())
    for (const name of ['a1', 'b1', 'a2']) turns.add(name.slice(0, 1), name)
    expect(takeAll(turns)).toEqual(['a1', 'b1', 'a2'])
    expect(turns.take()).toBeUndefined()
  })

  it('go to whoever has had the least, however many the others have waiting', () => {
    const had = new TimeHad(() => 0)
    const turns = new Turns<string>(9, had)
    had.charge('flood', 4000)
    had.charge('often', 300)
    for (const name of ['flood', 'often', 'new']) turns.add(name, name)
    expect(takeAll(turns)).toEqual(['new', 'often', 'flood'])
  })

  it('of a full queue cost the last job of whoever has the most waiting, then of whoever has had the most', () => {
    const had = new TimeHad(() => 0)
    const turns = new Turns<string>(3, had)
    for (const name of ['a1', 'a2', 'b1']) expect(turns.add(name.slice(0, 1), name)).toBeUndefined()
    expect(turns.add('c', 'c1')).toBe('a2')
    expect(turns.add('a', 'a3')).toBe('a3')
    had.charge('b', 10)
    expect(turns.add('d', 'd1')).toBe('b1')
    expect(turns.add('d', 'd2')).toBe('d2')
    expect(takeAll(turns)).toEqual(['a1', 'c1', 'd1'])
  })

  it('can be given up', () => {
    const turns = new Turns<string>(3, new TimeHad())
    turns.add('a', 'a1')
    expect(turns.leave('a1')).toBe(true)
    expect(turns.leave('a1')).toBe(false)
    expect(turns.size).toBe(0)
  })
})
