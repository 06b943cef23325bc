// Makes every call of node:fs below a folder a fault point: Node's functions are replaced while the harness runs.
import fs from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { sep } from 'node:path'
import { type Points, systemError } from './fault-points.ts'

const calls = ['open', 'rename', 'mkdir', 'mkdtemp', 'rm', 'stat', 'readdir', 'readFile', 'statfs'] as const
const callsOfFiles = ['datasync', 'sync', 'read', 'stat'] as const

// oxlint-disable-next-line typescript/no-explicit-any -- of whatever arguments: they are handed on
type Call<T = any> = (...given: any[]) => T

/** What a call is about: the kind of its file, which is undefined outside of the folder. */
interface FaultPoint {
  name: string
  kindOf(first: unknown): string | undefined
  onSuccess?(kind: string, result: unknown): void
}

/** @returns a function that restores Node's own */
export function failFiles(folder: string, points: Points): () => void {
  /** The subfolder of DATA_DIR that contains it. */
  const kindOfPath = (path: unknown) =>
    typeof path === 'string' && path.startsWith(folder + sep)
      ? (path.slice(folder.length + 1).split(sep)[0] ?? '')
      : undefined
  const promises = fs.promises as unknown as Record<string, Call<Promise<unknown>>>
  const ownPromises = Object.fromEntries(calls.map((name) => [name, promises[name]]))
  for (const name of calls)
    promises[name] = failingPromise(ownPromises[name] as Call<Promise<unknown>>, points, {
      name,
      kindOf: kindOfPath,
      ...(name === 'open' && { onSuccess: (kind, file) => failCallsOf(file as FileHandle, kind, points) }),
    })

  const { createWriteStream, open, openSync, read, readSync, statSync } = fs
  const opened = new Map<unknown, string>()
  const opening: FaultPoint = {
    name: 'open',
    kindOf: kindOfPath,
    onSuccess: (kind, descriptor) => opened.set(descriptor, kind),
  }
  const reading: FaultPoint = {
    name: 'read',
    // Only the first read by a descriptor is a fault point: it may belong to another file afterwards.
    kindOf(descriptor) {
      const kind = opened.get(descriptor)
      opened.delete(descriptor)
      return kind
    },
  }
  Object.assign(fs, {
    open: failingCallback(open, points, opening),
    read: failingCallback(read, points, reading),
    openSync: failingSync(openSync, points, opening),
    readSync: failingSync(readSync, points, reading),
    statSync: failingSync(statSync, points, { name: 'stat', kindOf: kindOfPath }),
    createWriteStream(path: fs.PathLike, options: object = {}) {
      const kind = kindOfPath(path)
      return createWriteStream(path, {
        ...options,
        ...(kind !== undefined && { fs: failingStreamCalls(points, kind, open) }),
      })
    },
  })
  syncBuiltinESMExports()
  return () => {
    Object.assign(promises, ownPromises)
    Object.assign(fs, { createWriteStream, open, openSync, read, readSync, statSync })
    syncBuiltinESMExports()
  }
}

const failureAt = (points: Points, name: string, kind: string | undefined) =>
  kind === undefined ? undefined : points.failure(`${name} ${kind}`, systemError)

function failingSync(own: Call, points: Points, { name, kindOf, onSuccess }: FaultPoint): Call {
  return (...given) => {
    const kind = kindOf(given[0])
    const error = failureAt(points, name, kind)
    if (error) throw error
    const result: unknown = own(...given)
    if (kind !== undefined) onSuccess?.(kind, result)
    return result
  }
}

function failingPromise(own: Call<Promise<unknown>>, points: Points, { name, kindOf, onSuccess }: FaultPoint) {
  return async (...given: unknown[]) => {
    const kind = kindOf(given[0])
    const error = failureAt(points, name, kind)
    if (error) throw error
    const result = await own(...given)
    if (kind !== undefined) onSuccess?.(kind, result)
    return result
  }
}

/** A function with a callback as its last argument. */
function failingCallback(own: Call, points: Points, { name, kindOf, onSuccess }: FaultPoint): Call<void> {
  return (...given) => {
    const kind = kindOf(given[0])
    if (kind === undefined) return void own(...given)
    const done = given.at(-1) as Call<void>
    const error = failureAt(points, name, kind)
    if (error) return process.nextTick(done, error)
    own(...given.slice(0, -1), (failure: unknown, ...results: unknown[]) => {
      if (!failure) onSuccess?.(kind, results[0])
      done(failure, ...results)
    })
  }
}

function failCallsOf(file: FileHandle, kind: string, points: Points): void {
  const handle = file as unknown as Record<string, Call<Promise<unknown>>>
  for (const name of callsOfFiles) {
    const own = (handle[name] as Call<Promise<unknown>>).bind(file)
    handle[name] = failingPromise(own, points, { name, kindOf: () => kind })
  }
}

/** The functions that a stream calls. */
function failingStreamCalls(points: Points, kind: string, open: typeof fs.open) {
  const failing = (name: string, own: Call) => failingCallback(own, points, { name, kindOf: () => kind })
  return {
    open: failing('open', open),
    write: failing('write', fs.write),
    writev: failing('writev', fs.writev),
    close: fs.close,
  }
}
