// C# samples in the words of Mono's compiler, which knows C# 7: .NET itself is no package of Debian's.

/** Of a console project of .NET 8 (ImplicitUsings). */
const implicitUsings = ['', '.Collections.Generic', '.IO', '.Linq', '.Net.Http', '.Threading', '.Threading.Tasks']

/** The statements as they are, in a method; what is newer than the compiler in its older form. */
export function inOlderCsharp(code: string): string {
  const lines = withoutRawStrings(code).split('\n')
  const usings = lines.filter((line) => /^using [\w.]+;$/.test(line))
  const statements = lines
    .filter((line) => !usings.includes(line))
    // Disposed of where the scope ends, and that is where the program does.
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

/** What precedes the closing quotes is no part of any line. */
const withoutRawStrings = (code: string) =>
  code.replace(/("{3,})\n([\s\S]*?)\n( *)\1(?!")/g, (_, _quotes, inner: string, margin: string) =>
    JSON.stringify(
      inner
        .split('\n')
        .map((line) => line.slice(margin.length))
        .join('\n'),
    ),
  )
