import { describe, expect, it } from 'vitest'
import { Turns } from './turns.ts'

const takeAll = (turns: Turns<string>) => Array.from({ length: turns.size }, () => turns.take())

describe('turns', () => {
  it('are in order of arrival as long as nobody has had anything', () => {
    const turns = new Turns<string>(9)
    for (const name of ['a1', 'b1', 'a2']) turns.add(name.slice(0, 1), name)
    expect(takeAll(turns)).toEqual(['a1', 'b1', 'a2'])
    expect(turns.take()).toBeUndefined()
  })

  it('go to whoever has had the least, however many the others have waiting', () => {
    const turns = new Turns<string>(9, () => 0)
    turns.charge('flood', 4000)
    turns.charge('often', 300)
    for (const name of ['flood', 'often', 'new']) turns.add(name, name)
    expect(takeAll(turns)).toEqual(['new', 'often', 'flood'])
  })

  it('forget what somebody had: after a minute it is next to nothing', () => {
    let now = 0
    const turns = new Turns<string>(9, () => now)
    turns.charge('a', 4000)
    now = 10_000
    expect(turns.hadMs('a')).toBe(2000)
    turns.charge('a', 1000)
    expect(turns.hadMs('a')).toBe(3000)
    now = 70_000
    expect(turns.hadMs('a')).toBeLessThan(50)
  })

  it('of a full queue cost the last job of whoever has the most waiting, then of whoever has had the most', () => {
    const turns = new Turns<string>(3, () => 0)
    for (const name of ['a1', 'a2', 'b1']) expect(turns.add(name.slice(0, 1), name)).toBeUndefined()
    expect(turns.add('c', 'c1')).toBe('a2')
    expect(turns.add('a', 'a3')).toBe('a3')
    turns.charge('b', 10)
    expect(turns.add('d', 'd1')).toBe('b1')
    expect(turns.add('d', 'd2')).toBe('d2')
    expect(takeAll(turns)).toEqual(['a1', 'c1', 'd1'])
  })

  it('can be given up', () => {
    const turns = new Turns<string>(3)
    turns.add('a', 'a1')
    expect(turns.leave('a1')).toBe(true)
    expect(turns.leave('a1')).toBe(false)
    expect(turns.size).toBe(0)
  })
})
