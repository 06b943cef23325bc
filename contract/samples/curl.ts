// Specification section 7, 'Generated cURL'.
import type { EndpointDoc } from '../endpoint-doc.ts'
import { fileName, type Form, requestOf, type SampleOptions } from './request.ts'
import { json, writeValue } from './write-value.ts'

export function curlOf(doc: EndpointDoc, options: SampleOptions): string {
  const request = requestOf(doc, options)
  return [
    `curl -X ${request.method} ${quote(request.url)}`,
    ...request.headers.map(([name, value]) => `-H ${quote(value === '' ? `${name};` : `${name}: ${value}`)}`),
    ...(request.json === undefined ? [] : [`-d ${quote(writeValue(request.json, json, '  '))}`]),
    ...(request.form ? formFields(request.form) : []),
    // A refusal is said, not saved as a picture.
    ...(request.isSaved ? [`--fail -o ${request.saveAs}`] : []),
  ].join(' \\\n  ')
}

/** Texts go out as they are: -F would read `@`, `<` and `;` in them. */
const formFields = ({ file, texts }: Form) => [
  ...(file === undefined ? [] : [`-F "${file}=@${fileName}"`]),
  ...texts.map(([name, value]) => `--form-string ${quote(`${name}=${value}`)}`),
]

/** For a POSIX shell. */
const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
