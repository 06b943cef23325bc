// Makes every call of node:fs below a folder a fault point: Node's functions are replaced while the harness runs.
import fs from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { sep } from 'node:path'
import { type Points, systemError } from './fault-points.ts'

const calls = ['open', 'rename', 'mkdir', 'mkdtemp', 'rm', 'stat', 'readdir', 'readFile', 'statfs'] as const
const callsOfFiles = ['datasync', 'sync', 'read', 'stat'] as const

// oxlint-disable-next-line typescript/no-explicit-any -- of whatever arguments: they are handed on
type Call = (...given: any[]) => Promise<unknown>

/** @returns a function that restores Node's own */
export function failFiles(folder: string, points: Points): () => void {
  const isOurs = (path: unknown): path is string => typeof path === 'string' && path.startsWith(folder + sep)
  const promises = fs.promises as unknown as Record<string, Call>
  const own = Object.fromEntries(calls.map((name) => [name, promises[name] as Call]))
  for (const name of calls) {
    promises[name] = async (path: unknown, ...rest: unknown[]) => {
      if (!isOurs(path)) return own[name]?.(path, ...rest)
      const error = points.failure(`${name} ${kindOf(path, folder)}`, systemError)
      if (error) throw error
      const result = await own[name]?.(path, ...rest)
      if (name === 'open') failCallsOf(result as FileHandle, kindOf(path, folder), points)
      return result
    }
  }
  const { createWriteStream, open, openSync, read, readSync, statSync } = fs
  const opened = new Map<number, string>()
  fs.open = calling(open as unknown as Callbacking, 'open', points, {
    kindOf: (path) => (isOurs(path) ? kindOf(path, folder) : undefined),
    onSuccess: (kind, file) => opened.set(file as number, kind),
  }) as unknown as typeof open
  // For reads by descriptor only the first read is a fault point: the descriptor may belong to another file afterwards.
  fs.read = calling(read as unknown as Callbacking, 'read', points, {
    kindOf(file) {
      const kind = opened.get(file as number)
      opened.delete(file as number)
      return kind
    },
  }) as unknown as typeof read
  const failAtOnce = (name: string, kind: string | undefined) => {
    const error = kind === undefined ? undefined : points.failure(`${name} ${kind}`, systemError)
    if (error) throw error
  }
  const kindIn = (path: unknown) => (isOurs(path) ? kindOf(path, folder) : undefined)
  fs.openSync = (...given: Parameters<typeof openSync>) => {
    const kind = kindIn(given[0])
    failAtOnce('open', kind)
    const file = openSync(...given)
    if (kind !== undefined) opened.set(file, kind)
    return file
  }
  fs.readSync = (file: number, ...rest: [NodeJS.ArrayBufferView]) => {
    const kind = opened.get(file)
    opened.delete(file)
    failAtOnce('read', kind)
    return readSync(file, ...rest)
  }
  Object.assign(fs, {
    statSync(...given: Parameters<typeof statSync>) {
      failAtOnce('stat', kindIn(given[0]))
      return statSync(...given)
    },
  })
  fs.createWriteStream = ((path: fs.PathLike, options: object = {}) =>
    createWriteStream(path, {
      ...options,
      ...(isOurs(path) ? { fs: failingStreamCalls(points, kindOf(path, folder), open) } : {}),
    })) as typeof createWriteStream
  syncBuiltinESMExports()
  return () => {
    Object.assign(promises, own)
    Object.assign(fs, { createWriteStream, open, openSync, read, readSync, statSync })
    syncBuiltinESMExports()
  }
}

type Callbacking = (...given: unknown[]) => void

/** A function with a callback as its last argument. @param of.kindOf of its first argument; undefined: not in the folder */
function calling(
  own: Callbacking,
  name: string,
  points: Points,
  of: { kindOf(first: unknown): string | undefined; onSuccess?(kind: string, result: unknown): void },
): Callbacking {
  return (...given) => {
    const kind = of.kindOf(given[0])
    if (kind === undefined) return own(...given)
    const done = given.at(-1) as Callbacking
    const error = points.failure(`${name} ${kind}`, systemError)
    if (error) return process.nextTick(done, error)
    own(...given.slice(0, -1), (failure: unknown, ...results: unknown[]) => {
      if (!failure) of.onSuccess?.(kind, results[0])
      done(failure, ...results)
    })
  }
}

function failCallsOf(file: FileHandle, kind: string, points: Points): void {
  const handle = file as unknown as Record<string, Call>
  for (const name of callsOfFiles) {
    const own = handle[name] as Call
    handle[name] = async (...given: unknown[]) => {
      const error = points.failure(`${name} ${kind}`, systemError)
      if (error) throw error
      return own.apply(file, given)
    }
  }
}

/** The functions that a stream calls, with a callback as their last argument. */
function failingStreamCalls(points: Points, kind: string, open: typeof fs.open) {
  const failing =
    (name: string, own: Callbacking): Callbacking =>
    (...given) => {
      const error = points.failure(`${name} ${kind}`, systemError)
      if (error) process.nextTick(given.at(-1) as Callbacking, error)
      else own(...given)
    }
  return {
    open: failing('open', open as unknown as Callbacking),
    write: failing('write', fs.write as Callbacking),
    writev: failing('writev', fs.writev as unknown as Callbacking),
    close: fs.close,
  }
}

/** The subfolder of DATA_DIR that contains it. */
const kindOf = (path: string, folder: string) => path.slice(folder.length + 1).split(sep)[0] ?? ''
