import { describe, expect, it } from 'vitest'
import { readNumber } from './number-text.ts'

describe('a typed number', () => {
  it.each<[string, number]>([
    ['42', 42],
    [' -3.50 ', -3.5],
    ['+7', 7],
    ['.5', 0.5],
    ['5.', 5],
    ['0', 0],
    ['-0', -0],
    ['0.000', 0],
    ['0e5', 0],
    ['007', 7],
    ['1e3', 1000],
    ['1E-7', 1e-7],
    ['1e+21', 1e21],
    ['9007199254740991', 9_007_199_254_740_991],
    ['100000000000000000000', 1e20],
    ['0.1', 0.1],
  ])('%s is accepted', (text, value) => expect(readNumber(text)).toEqual({ value }))

  it.each([
    ['', 'empty'],
    ['   ', 'empty'],
    ['1,5', 'notNumber'],
    ['1 000', 'notNumber'],
    ['abc', 'notNumber'],
    ['0x10', 'notNumber'],
    ['NaN', 'notNumber'],
    ['Infinity', 'notNumber'],
    ['.', 'notNumber'],
    ['1e', 'notNumber'],
    ['--1', 'notNumber'],
    ['１', 'notNumber'],
    ['1e400', 'tooLarge'],
    ['-1e400', 'tooLarge'],
    ['9'.repeat(400), 'tooLarge'],
    ['9007199254740993', 'inexact'],
    ['1e-400', 'inexact'],
  ])('%s is rejected: %s', (text, problem) => expect(readNumber(text)).toEqual({ problem }))
})
