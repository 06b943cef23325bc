// The path of a value in a document: a list of names and indexes.
import { nested, value } from '../../../texts/database-view/database-panel-messages.ts'

export type JsonPath = readonly (string | number)[]

/** An empty name is shown as `""`, since it would be invisible. */
export const nameText = (name: string | number) => (name === '' ? value.noName : String(name))

/** `address > geo`, for display. */
export const pathText = (path: JsonPath) => path.map(nameText).join(nested.separator)

const isPlain = (name: string) => /^[A-Za-z_$][\w$]*$/.test(name)

/** `address.geo[0]["a b"]`, in JavaScript syntax. */
export const codePath = (path: JsonPath) =>
  path
    .map((step, at) => {
      if (typeof step === 'string' && isPlain(step)) return at === 0 ? step : `.${step}`
      return `[${JSON.stringify(step)}]`
    })
    .join('')

/** Undefined when the path does not exist, which is no JSON value. Ignores the prototype chain. */
export const valueAt = (root: unknown, path: JsonPath): unknown =>
  path.reduce<unknown>(
    (value, step) =>
      isContainer(value) && Object.hasOwn(value, step) ? (value as Record<string | number, unknown>)[step] : undefined,
    root,
  )

export type Container = Record<string, unknown> | unknown[]

export const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null

export const sizeOf = (value: Container) => (Array.isArray(value) ? value.length : Object.keys(value).length)
