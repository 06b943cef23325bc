// Checks that the work of the sanitizer grows in proportion to the file, for inputs that make regular expressions and
// naive searches backtrack.

import { describe, expect, it } from 'vitest'
import { ImageRefused } from '../../refusal.ts'
import { sanitizeSvg } from './sanitize.ts'

/** The largest input of each row, in characters. The smaller one has a quarter. */
const largest = 1_200_000
const attribute = (name: string, value: string) => `<svg xmlns="http://www.w3.org/2000/svg" ${name}="${value}"/>`
const inside = (body: string) => `<svg xmlns="http://www.w3.org/2000/svg">${body}</svg>`
const style = (text: string) => inside(`<style>${text}</style>`)
const filled = (n: number, part: string) => part.repeat(n / part.length)
const halved = (n: number, part: string) => part.repeat(n / 2)
/** Seven runs fit into a viewBox as it is read: 20 ways to split each make a billion for all. */
const [digits, blanks] = ['1'.repeat(20), ' '.repeat(20)]

/** Sanitizes the source or rejects it. @returns the processor time in ms, the least of two runs */
function costMs(source: Buffer): number {
  const costs = [0, 1].map(() => {
    const before = process.cpuUsage()
    try {
      sanitizeSvg(source)
    } catch (error) {
      expect(error).toBeInstanceOf(ImageRefused)
    }
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  })
  return Math.min(...costs)
}

describe('four times the input costs about four times the work', () => {
  it.each<[string, (n: number) => string]>([
    ['blanks in a length', (n) => attribute('width', `1${filled(n, ' ')}!`)],
    ['blanks in a viewBox', (n) => attribute('viewBox', `1${filled(n, ' ')}!`)],
    ['digits and blanks in a viewBox', () => attribute('viewBox', `${`${digits}${blanks}`.repeat(3)}${digits}x`)],
    ['blanks in a style', (n) => attribute('style', `fill:red${filled(n, ' ')}!`)],
    ['blanks before important', (n) => attribute('style', `fill:${filled(n, ' ! ')}important`)],
    ['blanks in a time', (n) => inside(`<set attributeName="x" begin="${filled(n, ' ')}!"/>`)],
    ['semicolons in a time', (n) => inside(`<set attributeName="x" begin="${filled(n, '0;')}!"/>`)],
    ['one long word', (n) => attribute('fill', filled(n, 'a'))],
    ['one long number', (n) => attribute('fill', filled(n, '1'))],
    ['hyphens', (n) => attribute('fill', filled(n, '-'))],
    ['one long word among filters', (n) => attribute('filter', filled(n, 'a'))],
    ['bare brackets', (n) => attribute('transform', `rotate(${filled(n, '(')}`)],
    ['open brackets', (n) => attribute('transform', filled(n, 'rotate('))],
    ['blanks between a word and nothing', (n) => attribute('transform', filled(n, 'a  '))],
    ['open urls', (n) => attribute('fill', filled(n, 'url(#a '))],
    ['quotes', (n) => attribute('style', `font-family:${filled(n, "'")}"`)],
    ['open comments', (n) => style(filled(n, '/*'))],
    ['rules without a semicolon', (n) => style(filled(n, 'a{}'))],
    ['at-rules without a semicolon', (n) => style(filled(n, '@a{}'))],
    ['at-rules without a block', (n) => style(filled(n, '@a;'))],
    ['blocks in blocks', (n) => style(filled(n, 'a{'))],
    ['blanks, then semicolons', (n) => style(`${halved(n, ' ')}${halved(n, ';')}`)],
    ['closing braces', (n) => style(filled(n, '}'))],
    ['brackets of selectors', (n) => style(`${filled(n, ':is(')}a{fill:red}`)],
    ['one selector', (n) => style(`${filled(n, '.a')}{fill:red}`)],
    ['blanks in a selector', (n) => style(`a${filled(n, ' ')}b{fill:red}`)],
    ['selectors', (n) => style(`${filled(n, 'a,')}a{fill:red}`)],
    [
      'references of one rule',
      (n) => inside(`<style>*{fill:${'url(#a) '.repeat(n / 15)}}</style>${'<g/>'.repeat(n / 100)}`),
    ],
    ['references of one element', (n) => attribute('fill', filled(n, 'url(#a) '))],
    [
      'classes and rules',
      (n) => inside(`<style>${'.a{mask:url(#a)}'.repeat(n / 40)}</style><g class="${'b '.repeat(n / 5)}"/>`),
    ],
    ['one id for all', (n) => inside(`${'<g id="a"/>'.repeat(n / 160)}${'<use href="#a"/>'.repeat(n / 160)}`)],
    ['an address of a picture', (n) => inside(`<image href="data:image/png;base64,${filled(n, ' A')}"/>`)],
    ['white space', (n) => filled(n, '\n')],
    ['ampersands', (n) => inside(`<text>${filled(n, '&amp;')}</text>`)],
  ])('%s', (_, sourceOf) => {
    const [small, large] = [largest / 4, largest].map((n) => costMs(Buffer.from(sourceOf(n)))) as [number, number]
    // Linear work grows by 4, quadratic by 16. Below 20 ms the measurement is noise.
    expect(large / Math.max(small, 20)).toBeLessThan(10)
  })
})
