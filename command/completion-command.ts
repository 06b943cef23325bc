import type { ParseArgsConfig } from 'node:util'
import { type Command, namedArguments, type Task, UsageError } from '../server/command.ts'

/** What the scripts complete: the options of each command, with two dashes. */
type Words = { name: string; help: string; options: string[] }[]

const shells = { bash, zsh, fish }

export const completionCommand = (loadCommands: () => Promise<Record<string, Command<Task>>>): Command<Task> => ({
  usage: 'completion SHELL',
  help: 'prints the completion script for bash, zsh or fish',
  details:
    '  bash   image-host completion bash > ~/.local/share/bash-completion/completions/image-host\n' +
    '  zsh    image-host completion zsh > "${fpath[1]}/_image-host"\n' +
    '  fish   image-host completion fish > ~/.config/fish/completions/image-host.fish',
  async run({ args, print }) {
    const { SHELL } = namedArguments(args, 'SHELL')
    if (!Object.hasOwn(shells, SHELL)) throw new UsageError('SHELL must be bash, zsh or fish')
    const words = Object.entries(await loadCommands()).map(([name, { help, options }]) => ({
      name,
      help,
      options: optionsOf(options),
    }))
    print(shells[SHELL as keyof typeof shells](words))
  },
})

const optionsOf = (options: ParseArgsConfig['options'] = {}) =>
  [...Object.keys(options), 'help'].map((option) => `--${option}`)

const namesOf = (words: Words) => words.map(({ name }) => name).join(' ')

function bash(words: Words): string {
  const cases = words.map(({ name, options }) => `    ${name}) options='${options.join(' ')}' ;;`)
  return `_image_host() {
  local word=\${COMP_WORDS[COMP_CWORD]} options=''
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '${namesOf(words)} --help --version' -- "$word"))
    return
  fi
  case \${COMP_WORDS[1]} in
${cases.join('\n')}
  esac
  case $word in
    -*) COMPREPLY=($(compgen -W "$options" -- "$word")) ;;
    *) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
  esac
}
complete -F _image_host image-host`
}

function zsh(words: Words): string {
  const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`
  const commands = words.map(({ name, help }) => `    ${quoted(`${name}:${help}`)}`)
  const cases = words.map(({ name, options }) => `    ${name}) compadd -- ${options.join(' ')} ;;`)
  return `#compdef image-host
local -a commands
if (( CURRENT == 2 )); then
  commands=(
${commands.join('\n')}
  )
  _describe command commands
elif [[ $PREFIX == -* ]]; then
  case $words[2] in
${cases.join('\n')}
  esac
else
  _files
fi`
}

function fish(words: Words): string {
  const quoted = (text: string) => `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`
  return [
    ...words.map(
      ({ name, help }) => `complete -c image-host -n __fish_use_subcommand -f -a ${name} -d ${quoted(help)}`,
    ),
    ...words.flatMap(({ name, options }) =>
      options.map(
        (option) => `complete -c image-host -n '__fish_seen_subcommand_from ${name}' -l ${option.slice('--'.length)}`,
      ),
    ),
  ].join('\n')
}
