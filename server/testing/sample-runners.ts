// Runs the documentation's samples as readers do: with each language's runtime, in a folder with a
// photo.jpg.
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { LanguageId } from '../../contract/derive/samples/languages.ts'

export interface Runner {
  /** Runs the code and returns its output, which starts with the status. */
  run(code: string): Promise<string>
  stop(): void
}

interface Runtime {
  /** Returns why it cannot run here, or undefined. */
  missing(): string | undefined
  start(folder: string): Runner
}

export const runtimes: Record<LanguageId, Runtime> = {
  curl: {
    missing: () => (works('curl', '--version') ? undefined : 'curl is not installed here'),
    start: (folder) => ({
      async run(code) {
        // The sample prints only the body.
        const output = await outputOf(folder, 'bash', ['-c', `${code} -s -w '\\n%{http_code}'`])
        return output.trimEnd().split('\n').at(-1) ?? ''
      },
      stop: () => undefined,
    }),
  },
  javascript: {
    missing: () => undefined,
    start: (folder) => startReader(folder, 'mjs', process.execPath, ['--input-type=module', '-e', nodeReader]),
  },
  python: {
    missing: () =>
      works('python3', '-c', 'import requests') ? undefined : 'Python with requests is not installed here',
    start: (folder) => startReader(folder, 'py', 'python3', ['-u', '-c', pythonReader]),
  },
  php: {
    missing: () =>
      works('php', '-r', 'exit(function_exists("curl_init") ? 0 : 1);')
        ? undefined
        : 'PHP with curl is not installed here (apt-get install php-cli php-curl)',
    start: (folder) => ({
      async run(code) {
        await writeFile(join(folder, 'sample.php'), code)
        return outputOf(folder, 'php', ['sample.php'])
      },
      stop: () => undefined,
    }),
  },
  csharp: {
    missing: () =>
      compilesReader()
        ? undefined
        : 'Mono is not installed here (apt-get install mono-mcs libmono-system-net-http4.0-cil)',
    start(folder) {
      const reader = startReader(folder, 'cs', 'sh', [
        '-c',
        'mcs -out:reader.exe "$0" && exec mono reader.exe',
        csharpReader,
      ])
      return { ...reader, run: (code) => reader.run(inOlderCsharp(code)) }
    },
  },
}

// Mono's compiler accepts C# 7; Debian has no package of .NET.
/** The implicit usings of a .NET 8 console project. */
const implicitUsings = ['', '.Collections.Generic', '.IO', '.Linq', '.Net.Http', '.Threading', '.Threading.Tasks']

/** Wraps the statements in a method and rewrites syntax newer than C# 7. */
function inOlderCsharp(code: string): string {
  const lines = withoutRawStrings(code).split('\n')
  const usings = lines.filter((line) => /^using [\w.]+;$/.test(line))
  const statements = lines
    .filter((line) => !usings.includes(line))
    // Disposed at the end of the scope, which is the end of the program.
    .map((line) => line.replace(/^using (var .*);$/, 'using ($1) {'))
  const open = statements.filter((line) => line.startsWith('using (')).length
  return [
    ...implicitUsings.map((name) => `using System${name};`),
    ...usings,
    'public static class Sample {',
    'public static async Task Run() {',
    ...statements,
    `${'}'.repeat(open + 2)}\n`,
  ].join('\n')
}

/** The indentation before the closing quotes is not part of any line. */
const withoutRawStrings = (code: string) =>
  code.replace(/("{3,})\n([\s\S]*?)\n( *)\1(?!")/g, (_, _quotes, inner: string, margin: string) =>
    JSON.stringify(
      inner
        .split('\n')
        .map((line) => line.slice(margin.length))
        .join('\n'),
    ),
  )

const csharpReader = join(import.meta.dirname, 'sample-reader.cs')

/** Includes System.Net.Http, which is in a separate package. */
function compilesReader(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'image-host-mono-'))
  const done = works('mcs', `-out:${join(folder, 'reader.exe')}`, '-r:System.Net.Http.dll', csharpReader)
  rmSync(folder, { recursive: true })
  return done
}

const works = (program: string, ...args: string[]) => spawnSync(program, args).status === 0

async function outputOf(folder: string, program: string, args: string[]): Promise<string> {
  const child = spawn(program, args, { cwd: folder })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve))
  return output
}

/**
 * One process for all samples, because a start takes longer than a call. It reads paths and writes
 * the output as JSON.
 */
function startReader(folder: string, ending: string, program: string, args: string[]): Runner {
  const child: ChildProcessWithoutNullStreams = spawn(program, args, { cwd: folder })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  let complaints = ''
  child.stderr.setEncoding('utf8').on('data', (text) => (complaints += text))
  let count = 0
  return {
    async run(code) {
      const path = join(folder, `sample-${count++}.${ending}`)
      await writeFile(path, code)
      child.stdin.write(`${path}\n`)
      const line = await lines.next()
      if (line.done === true) throw new Error(`${program} has ended: ${complaints}`)
      return JSON.parse(line.value) as string
    },
    stop: () => child.stdin.end(),
  }
}

const nodeReader = `
import { createInterface } from 'node:readline'
import { format } from 'node:util'
for await (const path of createInterface({ input: process.stdin })) {
  let output = ''
  console.log = (...words) => { output += format(...words) }
  try { await import(path) } catch (error) { output += error }
  process.stdout.write(JSON.stringify(output) + '\\n')
}
`

const pythonReader = `
import contextlib, io, json, sys
for line in sys.stdin:
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        try:
            with open(line.strip(), encoding='utf-8') as file:
                exec(compile(file.read(), line.strip(), 'exec'), {'__name__': '__main__'})
        except Exception as error:
            print(repr(error))
    print(json.dumps(output.getvalue()), flush=True)
`
