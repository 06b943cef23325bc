// An independent check: reads an SVG without the allow-lists and lists everything that a browser could act on.

import { SaxesParser } from 'saxes'

const active =
  /^(?:script|foreignobject|iframe|object|embed|audio|video|handler|listener|link|meta|base|html|body|img)$/i
const forbiddenText =
  /javascript:|vbscript:|data:(?!image\/(?:png|jpeg|gif|webp);base64,)|expression\s*\(|-moz-binding|behavior\s*:/i

/** Every reason not to serve it; fails when it is not well-formed XML. */
export function dangersIn(svg: string): string[] {
  const found: string[] = []
  const note = (is: boolean, what: string) => is && found.push(what)
  const parser = new SaxesParser({ xmlns: true })
  let isStyle = false
  parser.on('doctype', () => found.push('doctype'))
  parser.on('comment', () => found.push('comment'))
  parser.on('cdata', () => found.push('cdata'))
  parser.on('processinginstruction', ({ target }) => found.push(`<?${target}?>`))
  parser.on('text', (text) => {
    if (isStyle) note(/[@\\<]/.test(text) || forbiddenText.test(text) || loads(text), `style sheet: ${text}`)
  })
  parser.on('closetag', () => (isStyle = false))
  parser.on('opentag', ({ uri, local, attributes }) => {
    isStyle = local === 'style'
    note(uri !== 'http://www.w3.org/2000/svg' || active.test(local), `<${local}> of ${uri}`)
    for (const { name, value } of Object.values(attributes)) {
      const isNamespace = name === 'xmlns' || name === 'xmlns:xlink'
      const text = `${name}="${value.slice(0, 80)}"`
      note(
        /^on/i.test(name) || (name.includes(':') && !/^(?:xml:(?:space|lang)|(?:xlink|xmlns):\w+)$/.test(name)),
        text,
      )
      note(!isNamespace && /^\s*[a-z][a-z0-9+.-]*:\/\//i.test(value), text)
      note(forbiddenText.test(value) || loads(value) || value.includes('\\'), text)
      if (/(?:^|:)(?:href|src)$/i.test(name)) note(!/^#|^data:image\/(?:png|jpeg|gif|webp);base64,/.test(value), text)
      if (/href$/i.test(name)) note(local === 'a', text)
      if (name === 'attributeName') note(/href|^on|^style$|^filter$|^class$|^id$/i.test(value.trim()), text)
    }
  })
  parser.write(svg).close()
  return found
}

const loads = (text: string) =>
  /url\(\s*["']?(?!#)|(?:image|image-set|src|attr)\(/i.test(text.replace(/url\(#[^)]*\)/g, ''))
