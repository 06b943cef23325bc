// Time grows with the length of the file and with nothing else: the shapes of input that make regular expressions and
// naive searches go back and forth.

import { describe, expect, it } from 'vitest'
import { ImageRefused } from '../../refusal.ts'
import { sanitizeSvg } from './sanitize.ts'

const many = 1_500_000
const attribute = (name: string, value: string) => `<svg xmlns="http://www.w3.org/2000/svg" ${name}="${value}"/>`
const inside = (body: string) => `<svg xmlns="http://www.w3.org/2000/svg">${body}</svg>`
const style = (text: string) => inside(`<style>${text}</style>`)
const filled = (part: string) => part.repeat(many / part.length)
const halved = (sign: string) => sign.repeat(many / 2)
/** Seven runs that fit into a viewBox as it is read: 20 ways to part each are a billion for all. */
const [digits, blanks] = ['1'.repeat(20), ' '.repeat(20)]

describe('no input of 1.5 MB takes long', () => {
  it.each([
    ['blanks in a length', attribute('width', `1${filled(' ')}!`)],
    ['blanks in a viewBox', attribute('viewBox', `1${filled(' ')}!`)],
    ['digits and blanks in a viewBox', attribute('viewBox', `${`${digits}${blanks}`.repeat(3)}${digits}x`)],
    ['blanks in a style', attribute('style', `fill:red${filled(' ')}!`)],
    ['blanks before important', attribute('style', `fill:${filled(' ! ')}important`)],
    ['blanks in a time', inside(`<set attributeName="x" begin="${filled(' ')}!"/>`)],
    ['semicolons in a time', inside(`<set attributeName="x" begin="${filled('0;')}!"/>`)],
    ['one long word', attribute('fill', filled('a'))],
    ['one long number', attribute('fill', filled('1'))],
    ['hyphens', attribute('fill', filled('-'))],
    ['one long word among filters', attribute('filter', filled('a'))],
    ['bare brackets', attribute('transform', `rotate(${filled('(')}`)],
    ['open brackets', attribute('transform', filled('rotate('))],
    ['blanks between a word and nothing', attribute('transform', filled('a  '))],
    ['open urls', attribute('fill', filled('url(#a '))],
    ['quotes', attribute('style', `font-family:${filled("'")}"`)],
    ['open comments', style(filled('/*'))],
    ['rules without a semicolon', style(filled('a{}'))],
    ['at-rules without a semicolon', style(filled('@a{}'))],
    ['at-rules without a block', style(filled('@a;'))],
    ['blocks in blocks', style(filled('a{'))],
    ['blanks, then semicolons', style(`${halved(' ')}${halved(';')}`)],
    ['closing braces', style(filled('}'))],
    ['brackets of selectors', style(`${filled(':is(')}a{fill:red}`)],
    ['one selector', style(`${filled('.a')}{fill:red}`)],
    ['blanks in a selector', style(`a${filled(' ')}b{fill:red}`)],
    ['selectors', style(`${filled('a,')}a{fill:red}`)],
    ['references of one rule', inside(`<style>*{fill:${'url(#a) '.repeat(100_000)}}</style>${'<g/>'.repeat(15_000)}`)],
    ['references of one element', attribute('fill', filled('url(#a) '))],
    [
      'classes and rules',
      inside(`<style>${'.a{mask:url(#a)}'.repeat(40_000)}</style><g class="${'b '.repeat(300_000)}"/>`),
    ],
    ['one id for all', inside(`${'<g id="a"/>'.repeat(9000)}${'<use href="#a"/>'.repeat(9000)}`)],
    ['an address of a picture', inside(`<image href="data:image/png;base64,${filled(' A')}"/>`)],
    ['white space', filled('\n')],
    ['ampersands', inside(`<text>${filled('&amp;')}</text>`)],
  ])('%s', (_, source) => {
    const start = performance.now()
    try {
      sanitizeSvg(Buffer.from(source))
    } catch (error) {
      expect(error).toBeInstanceOf(ImageRefused)
    }
    expect(performance.now() - start).toBeLessThan(3000)
  })
})
