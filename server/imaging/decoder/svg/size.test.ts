import { describe, expect, it } from 'vitest'
import { limits } from '../../../../contract/plain/limits.ts'
import { sanitizeSvg } from './sanitize.ts'

const sized = (attributes: string) => {
  const source = `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}><g/></svg>`
  const { svg, widthPx, heightPx } = sanitizeSvg(Buffer.from(source))
  expect(sanitizeSvg(svg)).toMatchObject({ svg, widthPx, heightPx })
  const [, viewBox] = /viewBox="([^"]*)"/.exec(svg.toString()) ?? []
  expect(svg.toString()).toContain(` width="${widthPx}"`)
  expect(svg.toString()).toContain(` height="${heightPx}"`)
  return [widthPx, heightPx, viewBox]
}

describe('the size of an SVG', () => {
  it.each([
    ['width="20" height="10"', 20, 10, '0 0 20 10'],
    ['width="20px" height="10PX" viewBox="1,2 3 4"', 20, 10, '1 2 3 4'],
    ['viewBox="0 0 64 32"', 64, 32, '0 0 64 32'],
    ['viewBox="-5 -5.5 64.4 32.6"', 64, 33, '-5 -5.5 64.4 32.6'],
    ['width="100%" height="100%" viewBox="0 0 64 32"', 64, 32, '0 0 64 32'],
    ['width="100%" height="50%"', 300, 150, '0 0 300 150'],
    ['width="32" viewBox="0 0 64 32"', 32, 16, '0 0 64 32'],
    ['height="64" viewBox="0 0 64 32"', 128, 64, '0 0 64 32'],
    ['', 300, 150, '0 0 300 150'],
    ['width="50"', 50, 150, '0 0 50 150'],
    ['width="auto" height="none"', 300, 150, '0 0 300 150'],
    ['width="1in" height="2.54cm"', 96, 96, '0 0 96 96'],
    ['width="72pt" height="6pc"', 96, 96, '0 0 96 96'],
    ['width="25.4mm" height="101.6Q"', 96, 96, '0 0 96 96'],
    ['width="2em" height="2ex"', 32, 16, '0 0 32 16'],
    ['width="10" height="10" style="width:40px;height:20px;fill:red"', 40, 20, '0 0 40 20'],
    ['width="10" height="10" style="width:100%!important"', 10, 10, '0 0 10 10'],
    ['width="0.2" height="0.2"', 1, 1, '0 0 0.2 0.2'],
    ['width="0" height="0" viewBox="0 0 64 32"', 64, 32, '0 0 64 32'],
    ['width="-5" height="5" viewBox="0 0 64 32"', 64, 32, '0 0 64 32'],
    ['width="20" height="10" viewBox="0 0 0 32"', 20, 10, '0 0 20 10'],
    ['width="20" height="10" viewBox="0 0 64 -32"', 20, 10, '0 0 20 10'],
    ['width="20" height="10" viewBox="0 0 NaN 32"', 20, 10, '0 0 20 10'],
    ['width="20" height="10" viewBox="0 0 1e400 32"', 20, 10, '0 0 20 10'],
    ['width="1e400" height="10"', 300, 10, '0 0 300 10'],
    ['width="1e9" height="1e9"', 7071, 7071, '0 0 1000000000 1000000000'],
    ['width="32766" height="100"', 16_383, 50, '0 0 32766 100'],
    ['width="100" height="1e9"', 1, 16_383, '0 0 100 1000000000'],
    ['width="1e30" height="1e30"', 7071, 7071, '0 0 1000000000 1000000000'],
    ['width="1e-9" height="1" viewBox="0 0 64 32"', 64, 32, '0 0 64 32'],
    ['width="1e9" viewBox="0 0 1e-6 1e9"', 1, 16_383, '0 0 0.000001 1000000000'],
  ])('%s', (attributes, widthPx, heightPx, viewBox) => {
    expect(sized(attributes)).toEqual([widthPx, heightPx, viewBox])
    expect(widthPx * heightPx).toBeLessThanOrEqual(limits.image.maxPixels)
  })

  it('ignores a size in a style rule', () => {
    const source = '<svg xmlns="http://www.w3.org/2000/svg" style="width:40px;height:20px;fill:red"/>'
    expect(sanitizeSvg(Buffer.from(source)).svg.toString()).toContain('style="fill:red"')
  })
})
