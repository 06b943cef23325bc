// Python 3 with the requests package.
import type { EndpointDoc } from '../endpoint-doc.ts'
import { fileName, type Form, requestOf, type SampleOptions, type SampleRequest } from './request.ts'
import { json, type Syntax, writeValue } from './write-value.ts'

export function pythonOf(doc: EndpointDoc, options: SampleOptions): string {
  const request = requestOf(doc, options)
  const lines = [text(request.url), ...keywords(request)]
  const call = lines.length === 1 ? lines.join('') : `\n${lines.map((line) => `    ${line},\n`).join('')}`
  return [
    'import requests',
    '',
    `response = requests.${request.method.toLowerCase()}(${call})`,
    ...(request.isSaved
      ? save(request)
      : [`print(response.status_code, ${printed[request.response] ?? 'response.text'})`]),
  ].join('\n')
}

const printed: Record<string, string> = { json: 'response.json()', none: 'dict(response.headers)' }

function keywords({ headers, json: body, form, isFile }: SampleRequest): string[] {
  // requests sets the Content-Type of a JSON body.
  const explicit = headers.filter(([name]) => isFile || name !== 'Content-Type')
  return [
    ...(explicit.length === 0 ? [] : [`headers=${writeValue(Object.fromEntries(explicit), python, '    ')}`]),
    ...(body === undefined ? [] : [`json=${writeValue(body, python, '    ')}`]),
    ...(form ? formFields(form) : []),
    ...(isFile ? [`data=open(${text(fileName)}, "rb")`] : []),
  ]
}

/** Without a file, requests sends multipart/form-data only when the fields are passed as files without a name. */
function formFields({ file, texts }: Form): string[] {
  if (file === undefined) {
    const lines = texts.map(([name, value]) => `        ${text(name)}: (None, ${text(value)}),\n`)
    return [`files={\n${lines.join('')}    }`]
  }
  const data = Object.fromEntries(texts)
  return [
    `files={${text(file)}: open(${text(fileName)}, "rb")}`,
    ...(texts.length === 0 ? [] : [`data=${writeValue(data, python, '    ')}`]),
  ]
}

const save = ({ saveAs }: SampleRequest) => [
  'response.raise_for_status()',
  `with open(${text(saveAs)}, "wb") as file:`,
  '    file.write(response.content)',
  `print(response.status_code, ${text(`saved as ${saveAs}`)})`,
]

/** Every JSON string is a valid Python string. */
const { text } = json

const python: Syntax = {
  ...json,
  literals: { null: 'None', true: 'True', false: 'False' },
  pad: '',
  indent: '    ',
  trailingComma: true,
}
