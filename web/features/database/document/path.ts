// Where a value stands in a document: the names and places that lead to it.
import { nested, value } from '../../../texts/database-panel-messages.ts'

export type Path = readonly (string | number)[]

/** A name can be empty, which nobody would see. */
export const nameText = (name: string | number) => (name === '' ? value.noName : String(name))

/** `address > geo`, for people. */
export const pathText = (path: Path) => path.map(nameText).join(nested.separator)

const isPlain = (name: string) => /^[A-Za-z_$][\w$]*$/.test(name)

/** `address.geo[0]["a b"]`, as a program would write it. */
export const codePath = (path: Path) =>
  path
    .map((step, at) => {
      if (typeof step === 'string' && isPlain(step)) return at === 0 ? step : `.${step}`
      return `[${JSON.stringify(step)}]`
    })
    .join('')

/** undefined where the path leads nowhere, which no JSON value is. Never what stands behind an object in JavaScript. */
export const valueAt = (root: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (value, step) =>
      isContainer(value) && Object.hasOwn(value, step) ? (value as Record<string | number, unknown>)[step] : undefined,
    root,
  )

export type Container = Record<string, unknown> | unknown[]

export const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null

export const sizeOf = (value: Container) => (Array.isArray(value) ? value.length : Object.keys(value).length)
