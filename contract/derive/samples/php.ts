// PHP 8 with the curl extension.
import type { EndpointDoc } from '../endpoint-doc.ts'
import { fileName, type Form, requestOf, type SampleOptions, type SampleRequest } from './request.ts'
import { json, type Syntax, writeValue } from './write-value.ts'

export function phpOf(doc: EndpointDoc, options: SampleOptions): string {
  const request = requestOf(doc, options)
  return [
    '<?php',
    '',
    `$curl = curl_init(${text(request.url)});`,
    'curl_setopt_array($curl, [',
    ...settings(request).map((line) => `    ${line},`),
    ']);',
    '$body = curl_exec($curl);',
    'if ($body === false) {',
    '    throw new Exception(curl_error($curl));',
    '}',
    '$status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);',
    ...(request.isSaved ? save(request) : [`echo $status, ' ', $body, PHP_EOL;`]),
  ].join('\n')
}

function settings({ method, headers, json: body, form, isFile, response }: SampleRequest): string[] {
  const lines = headers.map(([name, value]) => `        ${text(`${name}: ${value}`)},\n`)
  return [
    ...(method === 'GET' ? [] : [`CURLOPT_CUSTOMREQUEST => ${text(method)}`]),
    'CURLOPT_RETURNTRANSFER => true',
    ...(response === 'none' ? ['CURLOPT_HEADER => true'] : []),
    ...(lines.length === 0 ? [] : [`CURLOPT_HTTPHEADER => [\n${lines.join('')}    ]`]),
    ...(body === undefined ? [] : [`CURLOPT_POSTFIELDS => json_encode(${writeValue(body, php, '    ')})`]),
    ...(isFile ? [`CURLOPT_POSTFIELDS => file_get_contents(${text(fileName)})`] : []),
    ...(form ? [`CURLOPT_POSTFIELDS => [\n${formFields(form)}    ]`] : []),
  ]
}

const formFields = ({ file, texts }: Form) =>
  [
    ...(file === undefined ? [] : [`${text(file)} => new CURLFile(${text(fileName)})`]),
    ...texts.map(([name, value]) => `${text(name)} => ${text(value)}`),
  ]
    .map((line) => `        ${line},\n`)
    .join('')

const save = ({ saveAs, status }: SampleRequest) => [
  `if ($status !== ${status}) {`,
  '    throw new Exception("$status $body");',
  '}',
  `file_put_contents(${text(saveAs)}, $body);`,
  `echo $status, ${text(` saved as ${saveAs}`)}, PHP_EOL;`,
]

/** In single quotes, where only the quote and the backslash are special; with control characters, in double quotes. */
function text(given: string): string {
  if (!/[\p{Cc}\p{Zl}\p{Zp}]/u.test(given)) return `'${given.replace(/[\\']/g, String.raw`\$&`)}'`
  return `"${given.replace(/[\\"$]/g, String.raw`\$&`).replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, escape)}"`
}

const escapes: Record<string, string> = { '\n': String.raw`\n`, '\r': String.raw`\r`, '\t': String.raw`\t` }
const escape = (char: string) => escapes[char] ?? `\\u{${char.charCodeAt(0).toString(16)}}`

const php: Syntax = {
  ...json,
  text,
  key: (name) => `${text(name)} => `,
  // PHP encodes an empty array, or one with numeric keys, as a JSON list.
  object: (keys) => (keys.some((key) => !/^-?\d+$/.test(key)) ? ['[', ']'] : ['(object) [', ']']),
  pad: '',
  indent: '    ',
  trailingComma: true,
}
