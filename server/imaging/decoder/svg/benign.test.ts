import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { jpegSegment, photo, png, insertAt, secret, tiffWithSecrets } from '../../testing/hand-made-images.ts'
import { sanitizeSvg } from './sanitize.ts'
import { benignSvgs } from './testing/benign.ts'
import { dangersIn } from './testing/dangers.ts'

const benign = await benignSvgs()

describe('benign SVGs look the same after sanitizing', () => {
  it.each(Object.entries(benign))('%s', async (_, source) => {
    const { svg, widthPx, heightPx } = sanitizeSvg(Buffer.from(source))
    const [before, after] = await Promise.all([drawn(source, widthPx, heightPx), drawn(svg, widthPx, heightPx)])
    expect(new Set(before).size).toBeGreaterThan(1)
    expect(difference(before, after)).toBeLessThan(1)
    const { width, height } = await sharp(svg).metadata()
    expect([width, height]).toEqual([widthPx, heightPx])
    expect(dangersIn(svg.toString())).toEqual([])
    expect(sanitizeSvg(svg).svg.equals(svg)).toBe(true)
  })
})

async function drawn(svg: string | Buffer, width: number, height: number): Promise<Buffer> {
  const image = sharp(Buffer.from(svg as string)).resize(width, height, { fit: 'fill' })
  return image.flatten({ background: '#fff' }).raw().toBuffer()
}

function difference(before: Buffer, after: Buffer): number {
  return before.reduce((sum, value, at) => sum + Math.abs(value - (after[at] ?? 0)), 0) / before.length
}

const clean = (body: string, attributes = 'viewBox="0 0 9 9"') =>
  sanitizeSvg(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${body}</svg>`)).svg.toString()

describe('what sanitizing preserves and removes', () => {
  it.each([
    [
      'animations of numbers and colours',
      '<animate attributeName="r" values="1;2;1" dur="1.5s" repeatCount="indefinite" begin="0;a.end+0.2s"/>',
    ],
    [
      'animated transforms',
      '<animateTransform attributeName="transform" type="rotate" from="0 5 5" to="360 5 5" dur="1s" additive="sum"/>',
    ],
    [
      'animated colours',
      '<animate attributeName="fill" values="#f00;rgb(0,0,255);red" keyTimes="0;0.5;1" calcMode="spline" keySplines="0 0 1 1;0 0 1 1"/>',
    ],
    [
      'motion along a path',
      '<path id="p" d="M0 0h9"/><animateMotion dur="1s"><mpath xlink:href="#p"/></animateMotion>',
    ],
    ['variables', '<g style="--a:#f00;fill:var(--a, blue)"/>'],
    ['important', '<g style="fill:red!important"/>'],
    ['calculations', '<rect width="calc(100% - (2px + 1px))"/>'],
    ['ids of any script', '<g id="Größe_1:2" class="ä b-c"/>'],
    ['white space in texts', '<text xml:space="preserve">  a\n b </text>'],
  ])('%s are preserved', (_, body) => {
    expect(clean(body.replace('xlink:href', 'href'))).toContain(body)
  })

  it.each([
    ['white space between elements', '<g>\n  <rect/>\n</g>', '<g><rect/></g>'],
    ['titles and descriptions', '<title>a</title><desc>b</desc><g/>', '<g/>'],
    ['the link around a picture', '<a href="https://example.com" target="_blank"><g/></a>', '<a><g/></a>'],
    ['data, roles and labels', '<g data-x="1" aria-label="x" role="img" tabindex="0"/>', '<g/>'],
    [
      'at-rules, but not what is beside them',
      '<style>@import "x";@media print{g{fill:red}}g{fill:#00f}</style>',
      '<style>g{fill:#00f}</style>',
    ],
    [
      'a bad selector, not its neighbours',
      '<style>\\67,g, a[b="c"]:not(.x){fill:red}</style>',
      '<style>g,a[b="c"]:not(.x){fill:red}</style>',
    ],
    ['comments in styles', '<g style="/*;*/fill:/**/red;;stroke : blue ;"/>', '<g style="fill:red;stroke:blue"/>'],
    ['sizes in rules', '<style>svg{width:9999px;fill:red}</style>', '<style>svg{fill:red}</style>'],
    ['an empty style', '<style>@page{}</style>', ''],
    ['references to nothing', '<use/><image/><g/>', '<g/>'],
    ['what needs an extension', '<g requiredExtensions="x"/><rect/>', '<rect/>'],
  ])('%s are removed', (_, body, left) => {
    expect(
      clean(body)
        .replace(/^<svg[^>]*>|<\/svg>|\n$/g, '')
        .replace(/^<svg[^>]*\/>$/, ''),
    ).toBe(left)
  })

  it('writes two prefixes of one namespace as one', () => {
    const source = `<s:svg xmlns:s="http://www.w3.org/2000/svg" xmlns:l="http://www.w3.org/1999/xlink" viewBox="0 0 9 9"><s:use l:href="#a"/></s:svg>`
    expect(sanitizeSvg(Buffer.from(source)).svg.toString()).toBe(
      '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 9 9" width="9" height="9"><use xlink:href="#a"/></svg>\n',
    )
  })

  it('removes the metadata of embedded images', async () => {
    const jpeg = insertAt(
      await photo().jpeg().toBuffer(),
      2,
      jpegSegment(0xfe, secret),
      jpegSegment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), tiffWithSecrets(6)])),
    )
    const withText = insertAt(await photo().png().toBuffer(), 33, png('tEXt', Buffer.from(`GPS\0${secret}`)))
    for (const [format, bytes] of [
      ['jpeg', jpeg],
      ['png', withText],
    ] as const) {
      expect(bytes.includes(secret)).toBe(true)
      const cleaned = clean(`<image href="data:image/${format};base64,${bytes.toString('base64')}"/>`)
      const [, inside = ''] = /base64,([^"]+)/.exec(cleaned) ?? []
      expect(Buffer.from(inside, 'base64').includes(secret)).toBe(false)
      expect((await sharp(Buffer.from(inside, 'base64')).metadata()).format).toBe(format)
    }
  })

  it('writes the media type of an embedded image by its bytes', async () => {
    const gif = (await photo().gif().toBuffer()).toString('base64')
    expect(clean(`<image href="data:image/png;base64,${gif}"/>`)).toContain('data:image/gif;base64,')
  })
})
