// Typical constructs of real SVGs, one small example each. Each must look the same after sanitizing.

import { photo } from '../../../testing/hand-made-images.ts'

const svg = (body: string, attributes = 'viewBox="0 0 100 100"') =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${body}</svg>`

const base64 = async (format: 'png' | 'jpeg' | 'webp') => (await photo(40, 30)[format]().toBuffer()).toString('base64')

export async function benignSvgs(): Promise<Record<string, string>> {
  return {
    'an icon': svg(
      '<path d="M20 6 9 17l-5-5"/><circle cx="12" cy="12" r="10"/>',
      'width="24" height="24" viewBox="0 0 24 24" fill="none" stroke="#123" stroke-width="2" stroke-linecap="round"',
    ),
    gradients: svg(`
      <defs>
        <linearGradient id="a" x1="0%" y1="0" x2="100%" y2="1"><stop offset="0" stop-color="#f60"/><stop offset="100%" style="stop-color:rgb(0,80,255);stop-opacity:.5"/></linearGradient>
        <radialGradient id="b" xlink:href="#a" cx=".5" cy=".5" r=".5" gradientTransform="translate (10 , 0) scale(0.9,1)" gradientUnits="objectBoundingBox"/>
      </defs>
      <rect width="100" height="50" fill="url(#a)"/><ellipse cx="50" cy="75" rx="45" ry="20" style="fill: url('#b') #fff"/>`),
    'masks and clip paths': svg(`
      <mask id="m" maskUnits="userSpaceOnUse" x="0" y="0" width="100" height="100"><rect width="100" height="100" fill="#fff"/><circle cx="50" cy="50" r="20"/></mask>
      <clipPath id="c"><polygon points="0,0 100,0 50,100"/></clipPath>
      <g mask="url(#m)"><rect width="100" height="100" fill="teal" clip-path="url( &quot;#c&quot; )"/></g>`),
    text: svg(
      `<style>text{font:700 20px sans-serif}.i{font-style:italic;fill:crimson}</style>
       <path id="p" d="M10 80Q50 40 90 80"/><text x="5" y="30">Grüße &amp; <tspan class="i" dx="2">größer &gt; 1</tspan></text>
       <text font-size="10" xml:space="preserve"><textPath href="#p" startOffset="5%">along  the  path</textPath></text>
       <a href="https://example.com"><text x="5" y="95" text-anchor="start">a link</text></a>`,
      'width="200" height="200" viewBox="0 0 100 100"',
    ),
    'use and symbol': svg(`
      <symbol id="s" viewBox="0 0 10 10"><path d="M0 0h10L5 10z"/></symbol>
      <use xlink:href="#s" x="0" width="40" height="40" fill="navy"/><use href="#s" x="50" y="50" width="30" height="30" transform="rotate(45 65 65)" fill="#a0f"/>`),
    'classes of Illustrator': `<?xml version="1.0" encoding="iso-8859-1"?>
      <!-- Generator: Adobe Illustrator -->
      <!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
      ${svg(
        `<style type="text/css"><![CDATA[
          /* fills */ .st0{fill:#FFC;stroke:#00F;stroke-miterlimit:10;} g > .st1 , #x_5F_1:first-child{ fill : url(#SVGID_1_) }
          @media print { .st0 { fill: none } }
        ]]></style>
        <linearGradient id="SVGID_1_" gradientUnits="userSpaceOnUse" x1="0" y1="0" x2="90" y2="0" gradientTransform="matrix(1 0 0 -1 0 9)"><stop offset="0" style="stop-color:#F00"/><stop offset="1" style="stop-color:#0F0"/></linearGradient>
        <g id="x_5F_1"><rect class="st0" x="5" y="5" width="40" height="40"/><rect class="st0 st1" x="50" y="50" width="40" height="40"/></g>`,
        'version="1.1" id="Layer_1" x="0px" y="0px" width="100px" height="100px" viewBox="0 0 100 100" style="enable-background:new 0 0 100 100;" xml:space="preserve"',
      )}`,
    'a file of Inkscape': svg(
      `<sodipodi:namedview id="nv" pagecolor="#fff" inkscape:zoom="2"/><metadata><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:li>me</rdf:li></rdf:RDF></metadata>
       <g inkscape:label="Layer 1" inkscape:groupmode="layer" id="layer1" transform="translate(-1,-2)"><path style="opacity:1;fill:#d40000;stroke:#000;stroke-width:0.26458332px;-inkscape-stroke:none;font-variation-settings:normal" d="m 10,10 c 5,0 20,5e-1 20,20 z" sodipodi:nodetypes="ccc"/></g>`,
      'width="210mm" height="297mm" viewBox="0 0 210 297" version="1.1" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd"',
    ),
    filters: svg(`
      <filter id="f" x="-20%" y="-20%" width="140%" height="140%" color-interpolation-filters="sRGB">
        <feGaussianBlur in="SourceAlpha" stdDeviation="2"/><feOffset dx="2" dy="2" result="o"/>
        <feColorMatrix values="0 0 0 0 0  0 0 0 0 0  0 0 0 0 0.5  0 0 0 0.5 0"/><feComponentTransfer><feFuncA type="linear" slope="0.8"/></feComponentTransfer>
        <feMerge><feMergeNode/><feMergeNode in="SourceGraphic"/></feMerge>
      </filter>
      <rect x="20" y="20" width="50" height="50" fill="#fa0" filter="url(#f)"/><circle cx="80" cy="80" r="10" style="filter:blur(1px) saturate(200%)"/>`),
    'patterns and markers': svg(`
      <pattern id="p" width="10" height="10" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="5" height="10" fill="#093"/></pattern>
      <marker id="m" markerWidth="4" markerHeight="4" refX="2" refY="2" orient="auto-start-reverse"><path d="M0 0 4 2 0 4z"/></marker>
      <rect width="60" height="60" fill="url(#p)"/><polyline points="10,90 50,70 90,90" fill="none" stroke="#000" marker-end="url(#m)" marker-start="url(#m)"/>`),
    'a PNG inside': svg(
      `<image x="10" y="10" width="80" height="60" preserveAspectRatio="none" xlink:href="data:image/png;base64,${await base64('png')}"/>`,
    ),
    'a JPEG of Illustrator': svg(
      `<image width="40" height="30" transform="matrix(2 0 0 2 0 0)" xlink:href="data:image/jpg;base64,${(await base64('jpeg')).replace(/.{76}/g, '$&\n')}"/>`,
    ),
    'a switch': svg(
      `<switch><foreignObject requiredExtensions="http://ns.adobe.com/AdobeIllustrator/10.0/"/><g i:extraneous="self" xmlns:i="http://ns.adobe.com/AdobeIllustrator/10.0/"><rect width="50" height="50" fill="lime"/></g></switch>`,
    ),
    'a wide gamut of Figma': svg(
      '<rect width="90" height="90" fill="#F24E1E" style="fill:#F24E1E;fill:color(display-p3 0.9490 0.3059 0.1176);fill-opacity:.5;mix-blend-mode:multiply"/>',
      'width="100" height="100" fill="none"',
    ),
    'a chart without a viewBox': svg(
      '<g transform="translate(40.5, 10)" class="axis axis--x"><path class="domain" d="M0,100V0.5H150V100" fill="none" stroke="currentColor"/><rect x="50%" width="25%" height="60" fill="hsl(210deg 50% 50% / 80%)"/></g>',
      'width="200" height="120" style="background-color: #eee; color: rgb(10% 20% 30%); font-family: \'Gill Sans\', sans-serif"',
    ),
  }
}
