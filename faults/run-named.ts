// Runs what a command names, such as scenarios or benchmarks: modules of a folder, one after the other.
import { readdir } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { type Defer, withDeferred } from './resources.ts'

/** `full` is the published form; `short` the same in seconds, for every test run. */
export type Form = 'short' | 'full'

export interface Runnable<Result> {
  title: string
  /** What the machine lacks for that form, as the end of a sentence: "it needs gcc". */
  missing?(form: Form): Promise<string | undefined>
  /** @param defer registers what releases the resources of the run */
  run(form: Form, defer: Defer): Promise<Result[]>
}

export type Outcome<Result> = { missingRequirement: string } | { results: Result[] } | { error: unknown }

/** One that throws is reported, and the others still run. */
export async function runOnce<Result>(runnable: Runnable<Result>, form: Form): Promise<Outcome<Result>> {
  try {
    const missingRequirement = await runnable.missing?.(form)
    if (missingRequirement !== undefined) return { missingRequirement }
    return { results: await withDeferred((defer) => runnable.run(form, defer)) }
  } catch (error) {
    console.error(error)
    return { error }
  }
}

interface Modules {
  folder: string
  /** Of their files, such as `.fault.ts`. */
  ending: string
}

/**
 * Runs the named modules, or all, below a heading each; with `--short` in their short form. Ends the process when there is none
 * of a name.
 * @param run prints the outcome
 */
export async function runNamed<Module extends Runnable<unknown>>(
  { folder, ending }: Modules,
  args: readonly string[],
  run: (module: Module, form: Form) => Promise<void>,
): Promise<void> {
  const form = args.includes('--short') ? 'short' : 'full'
  const names = (await readdir(folder))
    .filter((file) => file.endsWith(ending))
    .map((file) => file.slice(0, -ending.length))
  const asked = args.filter((arg) => arg !== '--short')
  const unknown = asked.filter((name) => !names.includes(name))
  if (unknown.length > 0) {
    console.error(`There is no ${unknown.join(', ')}. There are: ${names.join(', ')}`)
    process.exit(2)
  }
  for (const name of asked.length > 0 ? asked : names) {
    const exports = (await import(/* @vite-ignore */ pathToFileURL(`${folder}/${name}${ending}`).href)) as object
    // Its only export.
    const [module] = Object.values(exports) as [Module & { id?: string }]
    console.log(`\n## ${module.id === undefined ? '' : `${module.id} `}${name}: ${module.title} (${form})`)
    const start = performance.now()
    await run(module, form)
    console.log(`Took ${((performance.now() - start) / 1000).toFixed(1)} s`)
  }
}
