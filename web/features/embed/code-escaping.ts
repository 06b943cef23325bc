// Escapes untrusted text for generated code: one function per context. The text must not end the literal it is in, nor have
// any other meaning there.

type Escape = (text: string) => string

/**
 * Characters that no context can contain: line terminators end comments and strings, bidirectional controls display other
 * code than the one that runs, and lone surrogates cannot be encoded.
 */
export const oneLine: Escape = (text) =>
  text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/\p{Cs}/gu, '\ufffd')

const entity = (sign: string) => `&#${sign.codePointAt(0)};`
const named: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const backslash = (signs: RegExp): Escape => {
  return (text) => oneLine(text).replace(signs, (sign) => `\\${sign}`)
}
const hex = (sign: string) => `\\x${sign.charCodeAt(0).toString(16).toUpperCase()}`

/** Text and attribute values in double quotes; attributes of JSX and Vue are the same. */
export const html: Escape = (text) => oneLine(text).replace(/[&<>"']/g, (sign) => named[sign] ?? sign)

/** WordPress runs [shortcodes], also in attributes. */
export const wordpress: Escape = (text) => html(text).replace(/[[\]]/g, entity)

/** An attribute of an Angular template inside a template literal: `{{` would be interpolated after entities are decoded. */
export const angular: Escape = (text) =>
  html(text)
    .replace(/[\\`$]/g, entity)
    .replaceAll('{', "{{ '{' }}")

/** A double-quoted string in a script that may be inline in a page: `</script>` would end it. */
export const javascript: Escape = (text) => backslash(/[\\"]/g)(text).replaceAll('<', hex)

/** A double-quoted string in a Blade file: Blade also interprets its directives in strings. */
export const blade: Escape = (text) => backslash(/[\\"$]/g)(text).replace(/[{}@<]/g, hex)

/** A single-quoted string. */
export const dart: Escape = backslash(/[\\'$]/g)
export const kotlin: Escape = backslash(/[\\"$]/g)
/** Swift interpolates `\(`. */
export const swift: Escape = backslash(/[\\"]/g)
export const python: Escape = backslash(/[\\"]/g)

/** Characters that would end or format the description, in Markdown, in HTML inside it, or in a table around it. */
export const markdown: Escape = backslash(/[\\[\]<>&*_`~|"]/g)
export const markdownAddress: Escape = (url) => url.replace(/[()<>\s\\]/g, percent)

export const percent: Escape = (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
