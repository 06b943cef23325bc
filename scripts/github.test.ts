// The files of .github/: workflows against GitHub's own schema, pinned actions, permissions, and the commands that they run.
import { readdirSync, readFileSync } from 'node:fs'
import type * as Parser from '@actions/workflow-parser'
import { parseYaml } from '@redocly/openapi-core'
import { build } from 'rolldown'
import { describe, expect, it } from 'vitest'

const root = new URL('../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')
const filesIn = (folder: string) => readdirSync(new URL(folder, root)).map((name) => `${folder}/${name}`)

interface Workflow {
  permissions: Record<string, string>
  jobs: Record<string, { permissions?: Record<string, string>; strategy?: { matrix: { node?: number[] } } }>
}

const workflows = filesIn('.github/workflows')
const yaml = <T>(path: string) => parseYaml(read(path)) as T

/** GitHub's parser, bundled: it imports JSON as no Node allows. */
const bundle = await build({ input: '@actions/workflow-parser', platform: 'browser', write: false, logLevel: 'silent' })
const { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } = (await import(
  /* @vite-ignore */ `data:text/javascript;base64,${Buffer.from(bundle.output[0].code).toString('base64')}`
)) as typeof Parser

/** Every problem that GitHub would report for the workflow. */
async function problemsOf(name: string, content: string): Promise<string[]> {
  const { context, value } = parseWorkflow({ name, content }, new NoOperationTraceWriter())
  if (value) await convertWorkflowTemplate(context, value)
  return context.errors.getErrors().map(({ message }) => message)
}

describe.each(workflows)('%s', (path) => {
  it('is valid', async () => expect(await problemsOf(path, read(path))).toEqual([]))

  it('pins every action to a commit, with its version', () => {
    const used = [...read(path).matchAll(/\buses: (.+)/g)].map(([, text = '']) => text)
    expect(used.length).toBeGreaterThan(0)
    expect(used.filter((text) => !/^[\w./-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/.test(text))).toEqual([])
  })

  it('may only read, except in jobs of a release', () => {
    const { permissions, jobs } = yaml<Workflow>(path)
    expect(permissions).toEqual({ contents: 'read' })
    const wider = Object.values(jobs).filter((job) => job.permissions !== undefined)
    if (!path.endsWith('release.yml')) expect(wider).toEqual([])
  })

  it('puts no text that others choose into a script', () => {
    const scripts = [...read(path).matchAll(/^ +(?:- )?run: (?:\|\n((?:\n| {10}.*\n)+)|(.+))/gm)].map(([text]) => text)
    expect(scripts.length).toBeGreaterThan(0)
    expect(scripts.filter((text) => text.includes('${{'))).toEqual([])
  })

  it('runs commands of package.json only', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
    const named = [...read(path).matchAll(/\bnpm (?:run ([\w:-]+)|test\b)/g)].map(([, name = 'test']) => name)
    expect(named.filter((name) => !(name in scripts))).toEqual([])
  })
})

it.each(['.github/workflows/ci.yml', '.github/workflows/nightly.yml'])('%s tests every supported Node', (path) => {
  const matrices = Object.values(yaml<Workflow>(path).jobs).flatMap(({ strategy }) => strategy?.matrix.node ?? [])
  expect(matrices).toEqual([20, 22, 24])
})

it.each([
  ['an unknown key', 'on: push\njobs: { a: { runs-on: x, stepz: [] } }'],
  ['an unknown permission', 'on: push\npermissions: { everything: write }\njobs: { a: { runs-on: x, steps: [] } }'],
  ['an unknown context', "on: push\njobs: { a: { runs-on: x, steps: [{ run: '${{ githup.ref }}' }] } }"],
  ['a need of no job', 'on: push\njobs: { a: { runs-on: x, needs: b, steps: [{ run: x }] } }'],
])('a workflow with %s is refused', async (_problem, content) => {
  expect(await problemsOf('planted.yml', content)).not.toEqual([])
})

it.each(filesIn('.github/ISSUE_TEMPLATE').filter((path) => !path.endsWith('config.yml')))('%s is a form', (path) => {
  const form = yaml<{ name: string; description: string; body: { type: string; id?: string }[] }>(path)
  expect([form.name, form.description]).toEqual([expect.any(String), expect.any(String)])
  const ids = form.body.flatMap(({ id }) => id ?? [])
  expect(new Set(ids).size).toBe(ids.length)
  const types = ['markdown', 'textarea', 'input', 'dropdown', 'checkboxes']
  expect(
    form.body.filter(({ type, id }) => !types.includes(type) || (type !== 'markdown' && id === undefined)),
  ).toEqual([])
})

it('Dependabot updates npm, the base images and the actions', () => {
  const { version, updates } = yaml<{ version: number; updates: Record<string, string>[] }>('.github/dependabot.yml')
  expect(version).toBe(2)
  expect(updates.map((one) => one['package-ecosystem'])).toEqual(['npm', 'docker', 'github-actions'])
})
